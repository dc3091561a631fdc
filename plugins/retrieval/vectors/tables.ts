import { createHash } from 'node:crypto'
import type { Kernel, Trx } from 'agent-platform'
import type { Extension } from './extension.ts'

/** Rows that move into their table in one transaction. */
const PAGE = 500
/** More than that only as numbers of two bytes. */
const MOST_WHOLE = 2_000

export interface VectorTable {
  readonly name: string
  readonly type: string
}
type Given = readonly [project: string, number: number, model: string, place: string, vector: Float32Array]
interface Unindexed {
  readonly project: string
  readonly collection: string
  readonly scope: string
  readonly number: number
  readonly model: string
  readonly numbers: Buffer
}

/** What is searched together, in one column: of several the planner would not know how much they narrow. */
export const placeOf = (project: string, collection: string, model: string, scope: string): string =>
  createHash('sha256')
    .update(JSON.stringify([project, collection, model, scope]))
    .digest('base64url')

/** Tables of pgvector by number of dimensions, each with an HNSW index of cosines. */
export function createVectorTables(
  { knex, transaction, log }: Pick<Kernel, 'knex' | 'transaction' | 'log'>,
  { schema, most }: Extension
) {
  const known = new Map<number, VectorTable>()
  const tableOf = (dimensions: number): VectorTable => ({
    name: `retrieval.vector_${dimensions}`,
    type: `${schema}.${dimensions > MOST_WHOLE ? 'halfvec' : 'vector'}(${dimensions})`
  })

  /** Those of any instance. One whose vectors went with an extension that was dropped is made anew. */
  async function learn(): Promise<void> {
    const { rows } = await knex.raw(
      `select substr(relname, 8)::int as dimensions, exists (select from pg_attribute
          where attrelid = pg_class.oid and attname = 'numbers' and not attisdropped) as "isWhole" from pg_class
        where relnamespace = 'retrieval'::regnamespace and relkind = 'r' and relname ~ '^vector_[0-9]+$'`
    )
    for (const { dimensions, isWhole } of rows)
      if (isWhole) known.set(dimensions, tableOf(dimensions))
      else await drop(dimensions)
  }

  /** Its vectors have no place from then on, and find one as others do. */
  async function drop(dimensions: number): Promise<void> {
    known.delete(dimensions)
    await transaction(async (trx) => {
      await trx.raw(`select pg_advisory_xact_lock(hashtext('retrieval.vector'))`)
      await trx.raw(`drop table if exists ${tableOf(dimensions).name}`)
      await trx.raw(
        'update retrieval.vector set indexed = false where indexed and octet_length(numbers) = ?',
        [dimensions * 4]
      )
    })
  }

  async function create(dimensions: number): Promise<void> {
    const { name, type } = tableOf(dimensions)
    const operators = `${type.replace(/\(.*/, '')}_cosine_ops`
    await transaction(async (trx) => {
      await trx.raw(`select pg_advisory_xact_lock(hashtext('retrieval.vector'))`)
      await trx.raw(
        `create table if not exists ${name} (
          project text not null,
          number bigint not null,
          model text not null,
          place text not null,
          numbers ${type} not null,
          primary key (project, number, model),
          foreign key (project, number, model) references retrieval.vector on delete cascade
        );
        create index if not exists vector_${dimensions}_place on ${name} (place);
        create index if not exists vector_${dimensions}_numbers on ${name} using hnsw (numbers ${operators})`
      )
    })
    known.set(dimensions, tableOf(dimensions))
  }

  /** Of vectors that are marked as indexed. */
  async function insert(trx: Trx, { name, type }: VectorTable, rows: readonly Given[]): Promise<void> {
    const columns = [0, 1, 2, 3].map((at) => rows.map((row) => row[at]))
    await trx.raw(
      `insert into ${name} (project, number, model, place, numbers)
        select project, number, model, g.place, g.numbers::${type}
        from unnest(?::text[], ?::bigint[], ?::text[], ?::text[], ?::text[]) as g(project, number, model, place, numbers)
        join retrieval.vector v using (project, number, model) where v.indexed on conflict do nothing`,
      [...columns, rows.map(([, , , , vector]) => `[${vector.join()}]`)] as never[]
    )
  }

  /** Those that have no place yet: kept before pgvector was there, by an instance without it, or first of their dimensions. */
  const next = async (on: Kernel['knex'] | Trx, lock = ''): Promise<Unindexed[]> =>
    (
      await on.raw(
        `select project, collection, scope, number::float8 as number, model, numbers from retrieval.vector
          where not indexed and octet_length(numbers) <= ? limit ? ${lock}`,
        [most * 4, PAGE]
      )
    ).rows

  async function fillPage(): Promise<number> {
    const dimensionsOf = ({ numbers }: Unindexed) => numbers.length / 4
    for (const dimensions of new Set((await next(knex)).map(dimensionsOf)))
      if (!known.has(dimensions)) await create(dimensions)
    return transaction(async (trx) => {
      const rows = (await next(trx, 'for update skip locked')).filter((it) => known.has(dimensionsOf(it)))
      for (const [dimensions, some] of Map.groupBy(rows, dimensionsOf)) {
        const given = some.map(({ project, collection, scope, number, model, numbers }): Given => {
          const place = placeOf(project, collection, model, scope)
          // A copy of its own, since what is read may begin at any byte.
          return [project, number, model, place, new Float32Array(new Uint8Array(numbers).buffer)]
        })
        const columns = [0, 1, 2].map((at) => given.map((row) => row[at]))
        await trx.raw(
          `update retrieval.vector v set indexed = true from unnest(?::text[], ?::bigint[], ?::text[])
            as g(project, number, model)
            where v.project = g.project and v.number = g.number and v.model = g.model`,
          columns as never[]
        )
        await insert(trx, tableOf(dimensions), given)
      }
      return rows.length
    })
  }

  /** Until each vector has its place. */
  async function fill(signal: AbortSignal): Promise<void> {
    await learn()
    for (let count = 1, all = 0; count > 0; all += count) {
      signal.throwIfAborted()
      count = await fillPage()
      if (count === 0 && all > 0) log.info({ count: all }, 'vectors are indexed by pgvector')
    }
  }

  return { of: (dimensions: number) => known.get(dimensions), learn, insert, fill }
}
