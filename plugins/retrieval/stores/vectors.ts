import type { Kernel, Trx } from 'agent-platform'
import type { Pending } from './entries.ts'

export type VectorRows = ReturnType<typeof createVectorRows>

/** What a scope has changed by since a snapshot of the database. */
export interface Change {
  readonly scope: string
  readonly number: number
  /** Null: it is gone. */
  readonly numbers: Buffer | null
}

/** Vectors as they are kept: float32, the low byte first. Nothing is lost with what is in memory. */
export function createVectorRows({ knex }: Pick<Kernel, 'knex'>) {
  const list = async <T>(sql: string, given: readonly unknown[]) =>
    (await knex.raw(sql, given as never[])).rows as T[]

  return {
    /** Of entries that are there still with that text. `indexed`: it has a row in a table of pgvector from now on. */
    async insert(
      trx: Trx,
      project: string,
      model: string,
      rows: readonly (Pending & { readonly vector: Float32Array })[],
      indexed = false
    ): Promise<void> {
      await trx.raw(
        `insert into retrieval.vector (project, number, model, collection, scope, numbers, indexed)
          select e.project, e.number, ?, e.collection, e.scope, g.numbers, ?
          from unnest(?::bigint[], ?::text[], ?::text[], ?::bytea[]) as g(number, collection, scope, numbers)
          join retrieval.entry e using (number, collection, scope) where e.project = ?
          order by e.number for key share of e on conflict do nothing`,
        [
          model,
          indexed,
          rows.map(({ number }) => number),
          rows.map(({ collection }) => collection),
          rows.map(({ scope }) => scope),
          rows.map(({ vector }) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
          project
        ] as never[]
      )
    },

    /** Up to `limit` of another model; how many went. */
    async removeOf(trx: Trx, project: string, model: string, limit: number): Promise<number> {
      const { rowCount } = await trx.raw(
        `delete from retrieval.vector where project = ? and model = ? and number in
          (select number from retrieval.vector where project = ? and model = ? limit ?)`,
        [project, model, project, model, limit]
      )
      return rowCount as number
    },

    async snapshot(): Promise<string> {
      const [row] = await list<{ now: string }>('select pg_current_snapshot()::text as now', [])
      return row?.now as string
    },

    /** Pages of all that a scope has, in the order in which they were written: that of the index. */
    listPage: (
      { project, collection, model }: { project: string; collection: string; model: string },
      scope: string,
      after: { readonly written: string; readonly number: number },
      limit: number
    ) =>
      list<{ number: number; written: string; numbers: Buffer }>(
        `select number::float8 as number, written::text as written, numbers from retrieval.vector v
          where project = ? and collection = ? and scope = ? and model = ? and (v.written, v.number) > (?::xid8, ?)
          order by v.project, v.collection, v.scope, v.model, v.written, v.number limit ?`,
        [project, collection, scope, model, after.written, after.number, limit]
      ),

    /** What was committed after these snapshots, one a scope, and the snapshot that this was read in. */
    async listChanges(
      project: string,
      collection: string,
      model: string,
      since: readonly (readonly [scope: string, snapshot: string])[],
      limit: number
    ): Promise<{ now: string; changes: Change[] }> {
      const rows = await list<{ now: string } & Change>(
        `with since as (select * from unnest(?::text[], ?::pg_snapshot[]) as it(scope, seen)),
          changed as (
            select it.* from since s cross join lateral (select v.scope, v.number, v.numbers from retrieval.vector v
              where v.project = ? and v.collection = ? and v.model = ? and v.scope = s.scope
              and v.written >= pg_snapshot_xmin(s.seen) and not pg_visible_in_snapshot(v.written, s.seen)
              order by v.project, v.collection, v.scope, v.model, v.written limit ?) it
            union all
            select it.* from since s cross join lateral (select r.scope, r.number, null::bytea from retrieval.removal r
              where r.project = ? and r.collection = ? and r.scope = s.scope
              and r.written >= pg_snapshot_xmin(s.seen) and not pg_visible_in_snapshot(r.written, s.seen)
              order by r.project, r.collection, r.scope, r.written limit ?) it)
        select pg_current_snapshot()::text as now, c.scope, c.number::float8 as number, c.numbers
          from (select 1) one left join changed c on true`,
        [
          ...[since.map(([scope]) => scope), since.map(([, seen]) => seen)],
          ...[project, collection, model, limit, project, collection, limit]
        ]
      )
      return { now: rows[0]?.now as string, changes: rows.filter(({ scope }) => scope !== null) }
    }
  }
}
