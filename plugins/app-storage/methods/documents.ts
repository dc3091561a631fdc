import { conflict, invalid, newId, notFound } from 'agent-platform'
import type { Filter, Item, Json, Query } from '../stores/data-store.ts'
import type { StorageMethod } from './asking.ts'
import { cursorOf, parseCursor } from './cursors.ts'
import { parseFilter } from './filters.ts'
import type { Asked } from './key-values.ts'
import { checkVersion, nextOf, page, removed } from './key-values.ts'
import type { Parameters } from './parameters.ts'
import { checkDocument, checkText, checkValue, OWN_FIELDS } from './values.ts'

type Name = Exclude<StorageMethod, 'storage.get' | 'storage.set' | 'storage.delete' | 'storage.list'>
/** With the shelf of the collection, as the manifest declares it. */
type Methods = {
  [N in Name]: (
    asked: Asked & { readonly at: ReturnType<Asked['shelf']> },
    params: Parameters[N]
  ) => Promise<Json>
}

const shown = ({ key, value, version, createdAt, updatedAt }: Item): Json => ({
  ...value,
  id: key,
  version,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString()
})

const filterOf = (filter: Json): Filter | undefined =>
  filter === undefined || Object.keys(filter).length === 0 ? undefined : parseFilter(filter, '/filter')

const orderOf = (sort: Parameters['storage.find']['sort']): Pick<Query, 'by' | 'order'> => ({
  by: sort === undefined || sort.by === 'id' ? undefined : sort.by,
  order: sort?.order ?? 'asc'
})

/** Documents of collections. */
export const documents: Methods = {
  async 'storage.insert'({ store, at, quota }, { id, document }) {
    const value = checkDocument(document, '/document')
    const key = id === undefined ? newId('doc') : checkText(id, '/id')
    const insert = (old: Item | undefined) => {
      if (old) throw conflict('There is a document of that id', { param: '/id', code: 'already_exists' })
      return nextOf(undefined, key, value)
    }
    return shown((await store.write(at, key, insert, quota)) as Item)
  },

  async 'storage.find'({ store, at }, { collection, filter, sort, limit = 20, cursor }) {
    const order = orderOf(sort)
    const list = [collection, filter ?? {}, order]
    const query = {
      filter: filterOf(filter),
      ...order,
      after: parseCursor(list, cursor, order.by),
      limit: limit + 1
    }
    return page(await store.list(at, query), limit, (item) => cursorOf(list, item, order.by), shown)
  },

  async 'storage.findOne'({ store, at }, { id, filter, sort }) {
    if (id === undefined) {
      const [item] = await store.list(at, { filter: filterOf(filter), ...orderOf(sort), limit: 1 })
      return item ? shown(item) : null
    }
    if (filter !== undefined || sort !== undefined)
      throw invalid('/id', 'Either by its id or by a filter, not by both')
    const item = await store.find(at, checkText(id, '/id'))
    return item ? shown(item) : null
  },

  async 'storage.update'({ store, at, quota }, { id, set = {}, unset = [], ifVersion }) {
    const changes = checkDocument(set, '/set')
    const gone = new Set(unset)
    for (const [index, name] of unset.entries())
      if ((OWN_FIELDS as readonly string[]).includes(name) || Object.hasOwn(changes, name))
        throw invalid(`/unset/${index}`, `${OWN_FIELDS.join(', ')} and what is set stay`)
    const update = (old: Item | undefined) => {
      if (!old) throw notFound('Document')
      checkVersion(old, ifVersion)
      const rest = Object.entries(old.value).filter(([name]) => !gone.has(name))
      return nextOf(old, id, checkValue({ ...Object.fromEntries(rest), ...changes }, '/set', true))
    }
    return shown((await store.write(at, checkText(id, '/id'), update, quota)) as Item)
  },

  'storage.remove': ({ store, at, quota }, { id, ifVersion }) =>
    removed(store, at, checkText(id, '/id'), ifVersion, quota),

  'storage.count': async ({ store, at }, { filter }) => ({ count: await store.count(at, filterOf(filter)) })
}
