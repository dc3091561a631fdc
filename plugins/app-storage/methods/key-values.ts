import { forbidden, preconditionFailed } from 'agent-platform'
import type { DataStore, Filter, Item, Json, Quota, Shelf } from '../stores/data-store.ts'
import type { StorageMethod } from './asking.ts'
import { cursorOf, parseCursor } from './cursors.ts'
import type { Parameters } from './parameters.ts'
import { checkText, checkValue } from './values.ts'

/** The store of the app that asks, and who asks. */
export interface Asked {
  readonly store: DataStore
  readonly quota: Quota
  /** Where what everybody shares lies, or what is the caller’s own. */
  shelf(collection: string, scope: 'app' | 'user'): Shelf
}
type Methods<M extends StorageMethod> = { [N in M]: (asked: Asked, params: Parameters[N]) => Promise<Json> }

export const undeclared = (what: string) =>
  forbidden(`The manifest of the app does not ask for ${what}`, { code: 'storage_not_declared' })

/** 412 unless the item has that version; 0 stands for none. */
export function checkVersion(old: Item | undefined, version: number | undefined): void {
  if (version === undefined || (old?.version ?? 0) === version) return
  throw preconditionFailed('The item has another version', { code: 'version_conflict' })
}

/** The next version of an item. */
export function nextOf(old: Item | undefined, key: string, value: Json): Item {
  const updatedAt = new Date()
  return { key, value, version: (old?.version ?? 0) + 1, createdAt: old?.createdAt ?? updatedAt, updatedAt }
}

const shown = ({ key, value, version, updatedAt }: Item) => {
  return { key, value, version, updatedAt: updatedAt.toISOString() }
}

/** Values by key. */
export const keyValues: Methods<'storage.get' | 'storage.set' | 'storage.delete' | 'storage.list'> = {
  async 'storage.get'({ store, shelf }, { key, scope = 'user' }) {
    const item = await store.find(shelf('', scope), checkText(key, '/key'))
    return item ? shown(item) : null
  },

  async 'storage.set'({ store, shelf, quota }, { key, value, scope = 'user', ifVersion }) {
    const checked = checkValue(value, '/value', false)
    const write = (old: Item | undefined) => {
      checkVersion(old, ifVersion)
      return nextOf(old, key, checked)
    }
    const item = (await store.write(shelf('', scope), checkText(key, '/key'), write, quota)) as Item
    const { version, updatedAt } = shown(item)
    return { key, version, updatedAt }
  },

  'storage.delete': ({ store, shelf, quota }, { key, scope = 'user', ifVersion }) =>
    removed(store, shelf('', scope), checkText(key, '/key'), ifVersion, quota),

  async 'storage.list'({ store, shelf }, { prefix = '', scope = 'user', limit = 20, cursor }) {
    const list = ['', scope, prefix]
    const filter: Filter = { field: 'id', op: 'prefix', value: checkText(prefix, '/prefix') }
    const after = parseCursor(list, cursor)
    const items = await store.list(shelf('', scope), {
      ...(prefix && { filter }),
      order: 'asc',
      after,
      limit: limit + 1
    })
    return page(items, limit, (item) => cursorOf(list, item, undefined), shown)
  }
}

/** Whether there was one. */
export async function removed(
  store: DataStore,
  shelf: Shelf,
  key: string,
  ifVersion: number | undefined,
  quota: Quota
): Promise<Json> {
  let found = false
  const remove = (old: Item | undefined) => {
    checkVersion(old, ifVersion)
    found = old !== undefined
    return undefined
  }
  await store.write(shelf, key, remove, quota)
  return { removed: found }
}

/** Of the items, one more than a page has. */
export function page(
  items: readonly Item[],
  limit: number,
  cursor: (item: Item) => string,
  show: (item: Item) => Json
): Json {
  const last = items.length > limit ? items[limit - 1] : undefined
  return { items: items.slice(0, limit).map(show), nextCursor: last ? cursor(last) : null }
}
