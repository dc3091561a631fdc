import { digestOf } from 'agent-platform'

// biome-ignore lint/suspicious/noExplicitAny: what an app keeps is any JSON
export type Json = any
/** What is compared: fields of other shapes are read, and never matched or sorted by. */
export type Scalar = string | number | boolean | null

/** The installation of an app. */
export interface Place {
  readonly project: string
  readonly appId: string
}

/**
 * Where an item lies: in a collection of documents, or in '' by its key alone; for all users of the installation (holder
 * ''), or for one of them. Each adapter makes the condition of it in one function, which everything that reads or writes
 * items for an app goes through.
 */
export interface Shelf extends Place {
  readonly collection: string
  readonly holder: string
}

export interface Item {
  readonly key: string
  readonly value: Json
  /** Counts writes, from 1. */
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** An item as it lies in every store alike. */
export interface StoredItem extends Item, Pick<Shelf, 'collection' | 'holder'> {
  /** Of key and value, as JSON in UTF-8: what quotas count, the same in every store. */
  readonly bytes: number
  /** SHA-256 of the value as canonical JSON. */
  readonly digest: string
}
/** What tells two items apart without reading their values. */
export type Head = Pick<StoredItem, 'collection' | 'holder' | 'key' | 'version' | 'digest'>

/** What lies beside the value of an item, by the names that documents have for it. */
export const columns = {
  id: 'key',
  version: 'version',
  createdAt: 'createdAt',
  updatedAt: 'updatedAt'
} as const
export type Column = keyof typeof columns
export const isColumn = (field: string): field is Column => Object.hasOwn(columns, field)
/** What it is compared with as ISO 8601 in UTC. */
export const isTime = (field: string): boolean => field === 'createdAt' || field === 'updatedAt'

/** A field is one of `columns`, or one of the value, by its names with dots between. */
export type Filter =
  | { readonly all: readonly Filter[] }
  | { readonly any: readonly Filter[] }
  | { readonly not: Filter }
  | { readonly field: string; readonly op: 'eq'; readonly value: Scalar }
  | { readonly field: string; readonly op: 'in'; readonly value: readonly Scalar[] }
  | { readonly field: string; readonly op: Comparison; readonly value: string | number }
  | { readonly field: string; readonly op: 'prefix'; readonly value: string }
  | { readonly field: string; readonly op: 'exists'; readonly value: boolean }
export type Comparison = 'gt' | 'gte' | 'lt' | 'lte'

export interface Query {
  readonly filter?: Filter | undefined
  /** A field; by key alone where it is undefined. Ties go by key, in the same direction. */
  readonly by?: string | undefined
  readonly order: 'asc' | 'desc'
  /** The last item of the page before: its key, and what it was sorted by. */
  readonly after?: { readonly key: string; readonly value?: Scalar | undefined } | undefined
  readonly limit: number
}

export interface Quota {
  readonly bytes: number
  readonly rows: number
}

/**
 * Whether a store is the one that the app uses: `live`; `filling`, while a move copies into it; `frozen`, while what
 * changed last is copied out of it; `moved`, when another one has taken over.
 */
export type State = 'live' | 'filling' | 'frozen' | 'moved'

export interface Usage extends Quota {
  readonly state: State
  /** Of the move that made it so. */
  readonly token: string | null
}

export interface Step {
  readonly from: readonly (State | undefined)[]
  readonly of?: string
  readonly to: State
  readonly token: string | null
}

/** Where items of apps lie. Made for one database, which may have those of many apps. */
export interface DataStore {
  /** The same however the database was reached. */
  readonly identity: string
  find(shelf: Shelf, key: string): Promise<Item | undefined>
  list(shelf: Shelf, query: Query): Promise<Item[]>
  count(shelf: Shelf, filter?: Filter): Promise<number>
  /**
   * Writes what `change` makes of an item, undefined being none, as one step: it is called again where another change was
   * faster, and nothing is written when it throws. 507 `quota_exceeded` where more is kept than before and that is more
   * than the quota; `NotLive` while the store is not live.
   */
  write(
    shelf: Shelf,
    key: string,
    change: (old: Item | undefined) => Item | undefined,
    quota: Quota
  ): Promise<Item | undefined>

  /** Undefined where the app never kept anything. */
  usage(place: Place): Promise<Usage | undefined>
  /**
   * Brings the app's store from one of those states, undefined being that it was never used, into another one; false where
   * it is in none of them, or another move's although `of` names one. Writes that began before are through or refused when
   * it returns.
   */
  enter(place: Place, step: Step): Promise<boolean>
  /** In the order of `isBefore`, after that one. */
  heads(place: Place, after: Head | undefined, limit: number): Promise<Head[]>
  read(place: Place, heads: readonly Head[]): Promise<StoredItem[]>
  /** Puts items in the place of those with the same keys, for a move: no quota is asked. */
  put(place: Place, items: readonly StoredItem[]): Promise<void>
  drop(place: Place, heads: readonly Head[]): Promise<void>
  /** Counts anew what quotas count, after a move. */
  recount(place: Place): Promise<void>
  /** Removes up to `limit` items and says how many; with the last ones, when `whole`, all that is known of the app. */
  clear(place: Place, limit: number, whole: boolean): Promise<number>
}

/** Where items are in the order of `heads`: byte by byte, as both databases compare. */
export const isBefore = (a: Head, b: Head): boolean => compare(a, b) < 0
export const isSamePlace = (a: Head, b: Head): boolean => compare(a, b) === 0
function compare(a: Head, b: Head): number {
  const text = (it: string) => Buffer.from(it)
  return (
    text(a.collection).compare(text(b.collection)) ||
    text(a.holder).compare(text(b.holder)) ||
    text(a.key).compare(text(b.key))
  )
}

/** The store is not the one that the app uses any more, or not yet. */
export class NotLive extends Error {
  readonly state: State

  constructor(state: State) {
    super(`The store is ${state}`)
    this.state = state
  }
}

/** With what all stores keep beside it. */
export function stored(shelf: Pick<Shelf, 'collection' | 'holder'>, item: Item): StoredItem {
  const { collection, holder } = shelf
  const bytes = Buffer.byteLength(item.key) + Buffer.byteLength(JSON.stringify(item.value))
  return { ...item, collection, holder, bytes, digest: digestOf(item.value) }
}

/** The failure of a write that would keep more than it may; undefined where it is within the quota. */
export function excess(quota: Quota, used: Quota, more: Quota): 'bytes' | 'rows' | undefined {
  if (more.rows > 0 && used.rows + more.rows > quota.rows) return 'rows'
  return more.bytes > 0 && used.bytes + more.bytes > quota.bytes ? 'bytes' : undefined
}
