import type { Kernel, Trx } from 'agent-platform'
import { unlessAborted } from 'agent-platform'
import type { Pending } from '../stores/entries.ts'
import type { VectorRows } from '../stores/vectors.ts'
import type { Extension } from './extension.ts'
import type { Nearest } from './matrices.ts'
import type { VectorQuery, VectorStore } from './store.ts'
import { createVectorTables, placeOf } from './tables.ts'

/** Vectors that are compared one by one: what they find is exact, in milliseconds. */
const EXACT = 5_000
/** Rows that have no place in a table yet and are compared here; where there are more, memory is asked. */
const LATE = 1_000
/** Candidates that HNSW keeps, beside twice those that are wanted. */
const CANDIDATES = 100
const MOST_LARGE = 10_000

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'log'> {
  vectorRows: VectorRows
  vectorMemory: VectorStore
}
interface Row {
  readonly number: number
  readonly score: number | null
  /** Of a row that has no place in the table yet. */
  readonly numbers: Buffer | null
  /** How many were compared one by one, where they were. */
  readonly count?: number | null
}

/**
 * Vectors in tables of pgvector, one for each number of dimensions, beside `retrieval.vector`, of which they are an index: a
 * row there goes with its vector, in the same transaction. What has no row yet is found as well.
 */
export async function createPgVectors(deps: Deps, extension: Extension): Promise<VectorStore> {
  const { knex, vectorRows, vectorMemory } = deps
  const tables = createVectorTables(deps, extension)
  await tables.learn()
  const { schema, iterates } = extension
  /** Scopes that are not compared one by one any more. */
  const large = new Set<string>()

  async function insert(
    trx: Trx,
    project: string,
    model: string,
    rows: readonly (Pending & { readonly vector: Float32Array })[]
  ): Promise<void> {
    const table = tables.of(rows[0]?.vector.length ?? 0)
    await vectorRows.insert(trx, project, model, rows, table !== undefined)
    const given = rows.map(({ number, collection, scope, vector }) => {
      const place = placeOf(project, collection, model, scope)
      return [project, number, model, place, vector] as const
    })
    if (table) await tables.insert(trx, table, given)
  }

  /** One statement, so that what moves into the table meanwhile is seen once. */
  async function list(query: VectorQuery, how: 'few' | 'all' | 'index'): Promise<Row[]> {
    const { project, collection, model, scopes, vector, limit, allowed } = query
    const table = tables.of(vector.length)
    const places = scopes.map((scope) => placeOf(project, collection, model, scope))
    const among = allowed ? ' and number = any(?::bigint[])' : ''
    const where = `place = any(?::text[])${among}`
    const chosen = allowed ? [[...allowed]] : []
    const distance = `numbers operator(${schema}.<=>) ?::${table?.type}`
    const asked = `[${vector.join()}]`
    const candidates = Math.min(1_000, Math.max(CANDIDATES, 2 * limit))
    // Settings of this statement alone: the first filter is decided before rows are read.
    const settings = `(select set_config('hnsw.ef_search', '${candidates}', true)${
      iterates ? ` || set_config('hnsw.iterative_scan', 'strict_order', true)` : ''
    }) is not null`
    const nearest = (filter: string, rows = '') =>
      `select number, ${distance} as distance from ${table?.name} where ${filter} ${rows}`
    const [near, count] =
      how === 'index'
        ? [nearest(`${settings} and ${where}`, `order by distance limit ${limit}`), '']
        : [
            `select *, (count(*) over ())::int as count from
              (${nearest(where, how === 'few' ? `limit ${EXACT + 1}` : 'offset 0')}) all_of_them
              order by distance limit ${limit}`,
            ', count'
          ]
    const { rows } = await knex.raw(
      `select number::float8 as number, 1 - distance as score, null::bytea as numbers${count} from (${near}) found
        union all select number::float8, null, numbers${count && ', null'} from (select number, numbers from retrieval.vector
          where not indexed and project = ? and collection = ? and model = ? and scope = any(?::text[])${among}
          limit ${LATE + 1}) late`,
      [asked, places, ...chosen, project, collection, model, [...scopes], ...chosen] as never[]
    )
    return rows
  }

  async function find(query: VectorQuery): Promise<readonly Nearest[]> {
    const { vector, limit, project, collection, model, scopes, allowed } = query
    if (!tables.of(vector.length)) return vectorMemory.search(query)
    const key = JSON.stringify([project, collection, model, scopes])
    const isLarge = allowed ? allowed.length > EXACT : large.has(key)
    let rows = await list(query, isLarge ? 'index' : 'few')
    const late = rows.filter(({ numbers }) => numbers !== null)
    if (late.length > LATE) return vectorMemory.search(query)
    if (!isLarge && (rows[0]?.count ?? 0) > EXACT) {
      if (large.size >= MOST_LARGE) large.clear()
      if (!allowed) large.add(key)
      rows = await list(query, 'index')
    }
    // Fewer than there may be: the scope became small, or the index gave up before it had enough of it.
    const isShort = rows.filter(({ numbers }) => numbers === null).length < limit
    if (isShort && (isLarge || large.has(key))) {
      large.delete(key)
      rows = await list(query, 'all')
    }
    return rows
      .map(({ number, score, numbers }) => ({ number, score: score ?? dot(vector, numbers) }))
      .filter(({ score }) => !Number.isNaN(score))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
  }

  return {
    insert,
    removeOf: vectorRows.removeOf,
    search: (query) => (query.signal ? unlessAborted(query.signal, find(query)) : find(query)),
    index: tables.fill
  }
}

function dot(vector: Float32Array, numbers: Buffer | null): number {
  if (numbers?.length !== vector.byteLength) return Number.NaN
  return vector.reduce((sum, number, at) => sum + number * numbers.readFloatLE(at * 4), 0)
}
