import { digestOf, invalid } from 'agent-platform'
import type { Item, Query, Scalar } from '../stores/data-store.ts'
import { isTime } from '../stores/data-store.ts'
import { parseTime } from './times.ts'

const foreign = () =>
  invalid('/cursor', 'Invalid cursor. Use nextCursor from the previous page of this list.')

/** Goes on after the last item of a page. It is bound to what was asked for, and says nothing of anybody else's. */
export function cursorOf(list: unknown, item: Item, by: string | undefined): string {
  const value = by === undefined ? undefined : sortedBy(item, by)
  return Buffer.from(JSON.stringify([digestOf(list), item.key, value ?? null])).toString('base64url')
}

/** 400 for one that was made up or is of another list. */
export function parseCursor(list: unknown, cursor: string | undefined, by?: string): Query['after'] {
  if (cursor === undefined) return undefined
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw foreign()
  }
  if (!Array.isArray(parts) || parts.length !== 3) throw foreign()
  const [digest, key, value] = parts
  if (digest !== digestOf(list) || typeof key !== 'string' || !key.isWellFormed() || key.includes('\0'))
    throw foreign()
  if (typeof value === 'object' && value !== null) throw foreign()
  if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) throw foreign()
  if (by === 'version' && typeof value !== 'number') throw foreign()
  if (by !== undefined && isTime(by) && parseTime(value) !== value) throw foreign()
  return { key, value: value as Scalar }
}

/** As stores sort: whatever is no number, text or truth value is nothing. */
function sortedBy(item: Item, by: string): Scalar {
  if (by === 'version') return item.version
  if (by === 'createdAt' || by === 'updatedAt') return item[by].toISOString()
  let found: unknown = item.value
  for (const name of by.split('.'))
    found =
      typeof found === 'object' && found !== null && !Array.isArray(found) && Object.hasOwn(found, name)
        ? (found as Record<string, unknown>)[name]
        : undefined
  return typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean' ? found : null
}
