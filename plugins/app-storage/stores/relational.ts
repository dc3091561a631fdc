import { insufficientStorage } from 'agent-platform'
import type { Knex } from 'knex'
import type { DataStore, Head, Item, Place, Shelf, StoredItem, Usage } from './data-store.ts'
import { excess, NotLive, stored } from './data-store.ts'
import { conditionOf, sorted } from './relational-filters.ts'

const shown = ['key', 'value', 'version', 'createdAt', 'updatedAt'] as const
const head = ['collection', 'holder', 'key', 'version', 'digest'] as const
type Trx = Knex.Transaction
type UsageRow = Omit<Usage, 'bytes'> & { readonly bytes: string | number }

interface Options {
  readonly knex: Knex
  /** Where `item` and `usage` lie. */
  readonly schema: string
  readonly identity: string
  /** For what reads any number of rows. */
  readonly statementMs: number
}

/** Items in PostgreSQL: the platform's own, or another one. */
export function createRelational({ knex, schema, identity, statementMs }: Options): DataStore {
  const items = (on: Knex | Trx, place: Place) =>
    on('item').withSchema(schema).where({ project: place.project, appId: place.appId })
  /** The one place that says what an app reaches: of this installation, in this collection, for this holder. */
  const within = (on: Knex | Trx, shelf: Shelf) =>
    items(on, shelf).where({ collection: shelf.collection, holder: shelf.holder })
  const usages = (on: Knex | Trx, { project, appId }: Place) =>
    on('usage').withSchema(schema).where({ project, appId })

  const itemOf = (row: Item | undefined): Item | undefined =>
    row && { ...row, createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) }
  const usageOf = (row: UsageRow | undefined): Usage | undefined =>
    row && { ...row, bytes: Number(row.bytes) }

  /** A statement over any number of rows has so long. */
  const reading = <T>(work: (trx: Trx) => Promise<T>): Promise<T> =>
    knex.transaction(
      async (trx) => {
        await trx.raw(`select set_config('statement_timeout', ?, true)`, [String(statementMs)])
        return work(trx)
      },
      { readOnly: true }
    )

  function matching(on: Trx, shelf: Shelf, filter: Parameters<DataStore['count']>[1]) {
    const query = within(on, shelf)
    return filter ? query.whereRaw(...(conditionOf(filter) as [string, Knex.RawBinding[]])) : query
  }

  /** Writes of an installation are one after the other, so that what quotas count is exact. */
  async function lock(trx: Trx, { project, appId }: Place): Promise<Usage> {
    const none = { project, appId, bytes: 0, rows: 0, state: 'live' }
    const [row] = await trx('usage')
      .withSchema(schema)
      .insert(none)
      .onConflict(['project', 'appId'])
      .merge(['project'])
      .returning(['bytes', 'rows', 'state', 'token'])
    return usageOf(row) as Usage
  }

  const write: DataStore['write'] = (shelf, key, change, quota) =>
    knex.transaction(async (trx) => {
      const used = await lock(trx, shelf)
      if (used.state !== 'live') throw new NotLive(used.state)
      const old = await within(trx, shelf)
        .where({ key })
        .first(...shown, 'bytes')
      const next = change(itemOf(old))
      if (!next && !old) return undefined
      const row = next && stored(shelf, next)
      const more = {
        bytes: (row?.bytes ?? 0) - (old?.bytes ?? 0),
        rows: Number(row !== undefined) - Number(old !== undefined)
      }
      const over = excess(quota, used, more)
      if (over) throw insufficientStorage(`The app’s quota of ${over} is used up`, { code: 'quota_exceeded' })
      if (row) await put(trx, shelf, [row])
      else await within(trx, shelf).where({ key }).delete()
      if (more.bytes !== 0 || more.rows !== 0)
        await usages(trx, shelf).update({ bytes: used.bytes + more.bytes, rows: used.rows + more.rows })
      return next
    })

  async function put(on: Knex | Trx, { project, appId }: Place, rows: readonly StoredItem[]) {
    if (rows.length === 0) return
    await on('item')
      .withSchema(schema)
      .insert(rows.map((row) => ({ project, appId, ...row, value: JSON.stringify(row.value) })))
      .onConflict(['project', 'appId', 'collection', 'holder', 'key'])
      .merge()
  }

  const enter: DataStore['enter'] = (place, { from, of, to, token }) =>
    knex.transaction(async (trx) => {
      // A writer holds this row until its commit.
      const found = await usages(trx, place).forUpdate().first()
      if (!from.includes(found?.state) || (of !== undefined && found?.token !== of)) return false
      if (found) {
        await usages(trx, place).update({ state: to, token })
        return true
      }
      const { project, appId } = place
      const row = { project, appId, bytes: 0, rows: 0, state: to, token }
      const made = await trx('usage').withSchema(schema).insert(row).onConflict().ignore().returning('state')
      return made.length > 0
    })

  const among = (on: Knex | Trx, place: Place, heads: readonly Head[]) =>
    items(on, place).whereIn(
      ['collection', 'holder', 'key'],
      heads.map(({ collection, holder, key }) => [collection, holder, key])
    )

  return {
    identity,
    find: async (shelf, key) =>
      itemOf(
        await within(knex, shelf)
          .where({ key })
          .first(...shown)
      ),
    list: (shelf, query) =>
      reading(async (trx) => {
        const rows = await sorted(matching(trx, shelf, query.filter).select(...shown), query)
        return rows.map((row: Item) => itemOf(row))
      }),
    count: (shelf, filter) =>
      reading(async (trx) => {
        const [row] = await matching(trx, shelf, filter).count()
        return Number(row?.count)
      }),
    write,
    usage: async (place) => usageOf(await usages(knex, place).first('bytes', 'rows', 'state', 'token')),
    enter,
    heads(place, after, limit) {
      const query = items(knex, place)
        .orderBy([...head.slice(0, 3)])
        .limit(limit)
      if (after)
        query.whereRaw('(collection, holder, key) > (?, ?, ?)', [after.collection, after.holder, after.key])
      return query.select(...head)
    },
    async read(place, heads) {
      if (heads.length === 0) return []
      const rows = await among(knex, place, heads).select(...shown, ...head, 'bytes')
      return rows.map((row: StoredItem) => ({ ...row, ...itemOf(row) }))
    },
    put: (place, rows) => put(knex, place, rows),
    async drop(place, heads) {
      if (heads.length > 0) await among(knex, place, heads).delete()
    },
    async recount({ project, appId }) {
      await knex.raw(
        `update ??.usage set (bytes, rows) = (select coalesce(sum(bytes), 0), count(*)
           from ??.item where project = ? and "appId" = ?) where project = ? and "appId" = ?`,
        [schema, schema, project, appId, project, appId]
      )
    },
    async clear(place, limit, whole) {
      const some = items(knex, place).limit(limit).select('collection', 'holder', 'key')
      const count = await items(knex, place).whereIn(['collection', 'holder', 'key'], some).delete()
      if (count === 0) {
        if (whole) await usages(knex, place).delete()
        else await usages(knex, place).update({ bytes: 0, rows: 0 })
      }
      return count
    }
  }
}
