import { unavailable } from 'agent-platform'
import type { Collection, Db, Document } from 'mongodb'
import type { DataStore, Head, Item, Json, Place, Shelf, StoredItem } from './data-store.ts'
import { stored } from './data-store.ts'
import { conditionOf, sorting } from './mongodb-filters.ts'
import type { Row, UsageRow } from './mongodb-usage.ts'
import { ALREADY_THERE, createMongodbUsage, ofPlace } from './mongodb-usage.ts'

const TRIES = 20

/** What items and what is counted lie in, with their indexes. */
export async function openCollections(db: Db) {
  const items = db.collection<Row>('app_storage_item')
  const usages = db.collection<UsageRow>('app_storage_usage')
  const place = { project: 1, appId: 1 } as const
  await items.createIndex({ ...place, collection: 1, holder: 1, key: 1 }, { unique: true })
  await usages.createIndex(place, { unique: true })
  return { items, usages }
}

interface Options {
  readonly items: Collection<Row>
  readonly usages: Collection<UsageRow>
  readonly identity: string
  readonly statementMs: number
  readonly lostMs: number
}

/** Items in MongoDB. It needs no transactions, which a server of its own has not. */
export function createMongodb({ items, usages, identity, statementMs, lostMs }: Options): DataStore {
  const usage = createMongodbUsage({ items, usages, lostMs })
  /** The one place that says what an app reaches: of this installation, in this collection, for this holder. */
  const within = (shelf: Shelf) => ({
    ...ofPlace(shelf),
    collection: shelf.collection,
    holder: shelf.holder
  })
  const matching = (shelf: Shelf, filter: Parameters<DataStore['count']>[1]): Document =>
    filter ? { $and: [within(shelf), conditionOf(filter)] } : within(shelf)
  const maxTime = { maxTimeMS: statementMs }

  const write: DataStore['write'] = async (shelf, key, change, quota) => {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const old = await items.findOne({ ...within(shelf), key })
      const next = change(old ? itemOf(old) : undefined)
      if (!next && !old) return undefined
      const row = next && stored(shelf, next)
      const more = {
        bytes: (row?.bytes ?? 0) - (old?.bytes ?? 0),
        rows: Number(row !== undefined) - Number(old !== null)
      }
      const growth = { bytes: Math.max(more.bytes, 0), rows: Math.max(more.rows, 0) }
      await usage.reserve(shelf, quota, growth)
      // By version and digest what is replaced is what was read, and as large.
      const same = { ...within(shelf), key, version: old?.version as number, digest: old?.digest as string }
      // Of a write that fails nobody knows whether it was made: it stays counted until it is counted anew.
      const isDone = row
        ? await (old ? replaced(same, row) : added(shelf, row))
        : (await items.deleteOne(same)).deletedCount === 1
      const made = isDone ? more : { bytes: 0, rows: 0 }
      await usage.settle(shelf, { bytes: growth.bytes - made.bytes, rows: growth.rows - made.rows })
      if (isDone) return next
    }
    throw unavailable('The item is written too often at a time', { code: 'busy' })
  }

  const replaced = async (same: Document, row: StoredItem): Promise<boolean> =>
    (await items.updateOne(same, { $set: kept(row) })).matchedCount === 1

  const added = (place: Place, row: StoredItem): Promise<boolean> =>
    items.insertOne({ ...ofPlace(place), ...kept(row) }).then(
      () => true,
      (error) => {
        if (error.code !== ALREADY_THERE) throw error
        return false
      }
    )

  const among = (place: Place, heads: readonly Head[]): Document => ({
    ...ofPlace(place),
    $or: heads.map(({ collection, holder, key }) => ({ collection, holder, key }))
  })

  return {
    identity,
    async find(shelf, key) {
      const row = await items.findOne({ ...within(shelf), key }, maxTime)
      return row ? itemOf(row) : undefined
    },
    async list(shelf, query) {
      const pipeline = [{ $match: matching(shelf, query.filter) }, ...sorting(query)]
      return (await items.aggregate<Row>(pipeline, maxTime).toArray()).map(itemOf)
    },
    count: (shelf, filter) => items.countDocuments(matching(shelf, filter), maxTime),
    write,
    async usage(place) {
      const found = await usage.find(place)
      return found
        ? { bytes: found.bytes, rows: found.rows, state: found.state, token: found.token }
        : undefined
    },
    enter: usage.enter,
    async heads(place, after, limit) {
      const order = ['collection', 'holder', 'key'] as const
      const beyond = after && {
        $or: order.map((field, at) => ({
          ...Object.fromEntries(order.slice(0, at).map((before) => [before, after[before]])),
          [field]: { $gt: after[field] }
        }))
      }
      const rows = await items
        .find({ ...ofPlace(place), ...beyond } as Document, { ...maxTime, projection: { value: 0 } })
        .sort({ collection: 1, holder: 1, key: 1 })
        .limit(limit)
        .toArray()
      return rows.map(({ collection, holder, key, version, digest }) => {
        return { collection, holder, key, version, digest }
      })
    },
    async read(place, heads) {
      if (heads.length === 0) return []
      const rows = await items.find(among(place, heads)).toArray()
      return rows.map((row) => {
        const { collection, holder, bytes, digest } = row
        return { ...itemOf(row), collection, holder, bytes, digest }
      })
    },
    async put(place, rows) {
      if (rows.length === 0) return
      await items.bulkWrite(
        rows.map((row) => {
          const { collection, holder, key } = row
          const filter = { ...ofPlace(place), collection, holder, key }
          return { replaceOne: { filter, replacement: { ...ofPlace(place), ...kept(row) }, upsert: true } }
        })
      )
    },
    async drop(place, heads) {
      if (heads.length > 0) await items.deleteMany(among(place, heads))
    },
    async recount(place) {
      const used = await usage.find(place)
      if (used) await usage.recount(used)
    },
    async clear(place, limit, whole) {
      const some = await items
        .find(ofPlace(place), { projection: { _id: 1 } })
        .limit(limit)
        .toArray()
      if (some.length > 0) {
        await items.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } })
        return some.length
      }
      if (whole) await usages.deleteOne(ofPlace(place))
      else await usages.updateOne(ofPlace(place), { $set: { bytes: 0, rows: 0 } })
      return 0
    }
  }
}

/** What has a key alone may have names in it that a document may not, and is never asked for by its fields. */
const kept = (row: StoredItem): StoredItem =>
  row.collection === '' ? { ...row, value: JSON.stringify(row.value) } : row
const openedValue = ({ collection, value }: Row): Json => (collection === '' ? JSON.parse(value) : value)
const itemOf = (row: Row): Item => {
  const { key, version, createdAt, updatedAt } = row
  return { key, value: openedValue(row), version, createdAt, updatedAt }
}
