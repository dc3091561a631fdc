import { AppError } from '../../errors.ts'
import { compare } from './filters.ts'

/** One value or document. */
export interface Item {
  readonly key: string
  readonly value: unknown
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

const bytesOf = ({ key, value }: Item) => Buffer.byteLength(key + JSON.stringify(value))
const MAX_BYTES = 65_536

/** Items by shelf: values or a collection, of one holder or of all. `quota` is in bytes of keys and values. */
export function createShelves(quota: number) {
  const shelves = new Map<string, Map<string, Item>>()
  let used = 0

  const shelf = (name: string) => {
    const items = shelves.get(name) ?? new Map<string, Item>()
    shelves.set(name, items)
    return items
  }

  /** Puts the next version of an item there, or nothing; refused unless the one that is there has the version. */
  function write(
    name: string,
    key: string,
    ifVersion: number | undefined,
    next: (old: Item | undefined) => unknown
  ): Item | undefined {
    const items = shelf(name)
    const old = items.get(key)
    const value = next(old)
    if (ifVersion !== undefined && (old?.version ?? 0) !== ifVersion)
      throw new AppError('version_conflict', 'The item has another version')
    const updatedAt = new Date().toISOString()
    const createdAt = old?.createdAt ?? updatedAt
    const item =
      value === undefined ? undefined : { key, value, version: (old?.version ?? 0) + 1, createdAt, updatedAt }
    if (item && Buffer.byteLength(JSON.stringify(value)) > MAX_BYTES)
      throw new AppError('value_too_large', `The value has more than ${MAX_BYTES} bytes`)
    const after = used + (item ? bytesOf(item) : 0) - (old ? bytesOf(old) : 0)
    if (item && after > quota) throw new AppError('quota_exceeded', `The app keeps more than ${quota} bytes`)
    used = after
    if (item) items.set(key, item)
    else items.delete(key)
    return item
  }

  const list = (name: string): Item[] => [...shelf(name).values()].sort((a, b) => compare(a.key, b.key))
  return { find: (name: string, key: string) => shelf(name).get(key), list, write }
}
