import { randomUUID } from 'node:crypto'
import { storageParameters } from '../../catalogue/catalogue.ts'
import type { StorageMethods } from '../../context/storage.ts'
import { AppError } from '../../errors.ts'
import type { Manifest } from '../../manifest/schema.ts'
import { refuseUnfit } from '../schemas.ts'
import { compare, fieldOf, filterOf } from './filters.ts'
import type { Item } from './shelves.ts'
import { createShelves } from './shelves.ts'

type Params = { readonly [N in keyof StorageMethods]: StorageMethods[N]['params'] }
type Name = keyof Params
type Document = Readonly<Record<string, unknown>>

/** What a deployment allows where it says nothing else. */
const QUOTA = 104_857_600
const entryOf = ({ key, value, version, updatedAt }: Item) => ({ key, value, version, updatedAt })
const documentOf = ({ key, value, version, createdAt, updatedAt }: Item) =>
  ({ ...(value as Document), id: key, version, createdAt, updatedAt }) as Document

/** The storage of one app in memory, for all its callers. Refuses what the platform's own refuses, by the same codes. */
export function createMemoryStorage(declared: Manifest['storage']) {
  const shelves = createShelves(Math.min(declared?.quotaBytes ?? QUOTA, QUOTA))

  const undeclared = (what: string) =>
    new AppError('storage_not_declared', `The manifest of the app does not ask for ${what}`)

  function values(by: string, { scope = 'user' }: { readonly scope?: 'app' | 'user' }): string {
    if (!declared?.keyValue) throw undeclared('values by key')
    if (scope === 'app' && declared.keyValue !== 'app') throw undeclared('values that its users share')
    return `values/${scope === 'app' ? 'app' : `user/${by}`}`
  }

  function collection(by: string, { collection: name }: { readonly collection: string }): string {
    const found = declared?.collections?.find((it) => it.name === name)
    if (!found) throw undeclared(`the collection ${name}`)
    return `documents/${name}/${found.scope === 'app' ? 'app' : `user/${by}`}`
  }

  function found(shelf: string, { filter, sort }: Pick<Params['find'], 'filter' | 'sort'>): Document[] {
    const fits = filterOf(filter)
    const { by = 'id', order = 'asc' } = sort ?? {}
    const sign = order === 'asc' ? 1 : -1
    return shelves
      .list(shelf)
      .map(documentOf)
      .filter(fits)
      .sort((a, b) => sign * (compare(fieldOf(a, by), fieldOf(b, by)) || compare(a.id, b.id)))
  }

  const removed = (shelf: string, key: string, ifVersion: number | undefined) => {
    const isThere = shelves.find(shelf, key) !== undefined
    shelves.write(shelf, key, ifVersion, () => undefined)
    return { removed: isThere }
  }

  const methods: { readonly [N in Name]: (by: string, params: Params[N]) => unknown } = {
    get(by, params) {
      const item = shelves.find(values(by, params), params.key)
      return item ? entryOf(item) : null
    },
    set(by, params) {
      const { key, value, ifVersion } = params
      const item = shelves.write(values(by, params), key, ifVersion, () => value)
      const { version, updatedAt } = item as Item
      return { key, version, updatedAt }
    },
    delete: (by, params) => removed(values(by, params), params.key, params.ifVersion),
    list(by, { prefix = '', ...params }) {
      const items = shelves.list(values(by, params)).filter(({ key }) => key.startsWith(prefix))
      return paged(items.map(entryOf), params)
    },
    insert(by, params) {
      const { id = `doc_${randomUUID()}`, document } = params
      const insert = (old: Item | undefined) => {
        if (old) throw new AppError('already_exists', 'There is a document of that id')
        return own(document)
      }
      return documentOf(shelves.write(collection(by, params), id, undefined, insert) as Item)
    },
    find: (by, params) => paged(found(collection(by, params), params), params),
    findOne(by, params) {
      const shelf = collection(by, params)
      if (params.id === undefined) return found(shelf, params)[0] ?? null
      const item = shelves.find(shelf, params.id)
      return item ? documentOf(item) : null
    },
    update(by, params) {
      const { id, set = {}, unset = [], ifVersion } = params
      const update = (old: Item | undefined) => {
        if (!old) throw new AppError('not_found', 'Document not found')
        const kept = Object.entries(old.value as Document).filter(([name]) => !unset.includes(name))
        return { ...Object.fromEntries(kept), ...own(set) }
      }
      return documentOf(shelves.write(collection(by, params), id, ifVersion, update) as Item)
    },
    remove: (by, params) => removed(collection(by, params), params.id, params.ifVersion),
    count: (by, params) => ({ count: found(collection(by, params), params).length })
  }

  /** What `storage.<method>` gives the caller of that id. */
  return (by: string, method: string, params: unknown): unknown => {
    const name = method.slice('storage.'.length)
    const schema = Object.hasOwn(storageParameters, method) && storageParameters[method]
    if (!schema || !Object.hasOwn(methods, name))
      throw new AppError('not_found', `Method ${method} not found`)
    refuseUnfit(schema, params, '/params')
    return methods[name as Name](by, params as never)
  }
}

function own(document: Document): Document {
  const taken = ['id', 'version', 'createdAt', 'updatedAt'].find((name) => Object.hasOwn(document, name))
  if (taken === undefined) return document
  throw new AppError('invalid_request_error', `/params: ${taken} is the store’s to set`)
}

function paged<T>(items: readonly T[], { limit = 20, cursor }: { limit?: number; cursor?: string }) {
  const from = cursor === undefined ? 0 : Number(cursor)
  if (!Number.isSafeInteger(from) || from < 0)
    throw new AppError(
      'invalid_request_error',
      '/params/cursor: Invalid cursor. Use nextCursor from the previous page of this list.'
    )
  const to = from + limit
  return { items: items.slice(from, to), nextCursor: to < items.length ? String(to) : null }
}
