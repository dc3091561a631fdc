import type { Knex } from 'knex'
import { invalid } from './errors.ts'
import { typeOfId } from './ids.ts'
import type { Paging, Searching } from './schemas.ts'

/** A page as it is answered. */
export interface PageOf<T> {
  data: T[]
  /** Null on the last page. */
  nextCursor: string | null
}

/**
 * One page of a query, newest first: by `id`, whose `type` (`goal` of `goal_…`) all rows share and which is
 * time-ordered. The cursor holds the last id that was sent; 400 for one that was made up or is of another list.
 *
 * @param searched columns of text that `query` of the page is looked for in, next to the ID
 */
export async function paginate<T extends { id: string }>(
  query: Knex.QueryBuilder,
  { limit = 20, cursor, query: text }: Searching,
  type: string,
  searched: readonly string[] = []
): Promise<PageOf<T>> {
  if (text !== undefined && searched.length > 0) query.where(matches(text, searched))
  if (cursor !== undefined) {
    const after = textOf(cursor)
    if (typeOfId(after) !== type) throw notOfThisList()
    query.where('id', '<', after)
  }
  const rows = (await query.orderBy('id', 'desc').limit(limit + 1)) as T[]
  const data = rows.slice(0, limit)
  const last = rows.length > limit ? data.at(-1) : undefined
  return { data, nextCursor: last ? cursorOf(last.id) : null }
}

/**
 * Rows with a text in one of these columns, in upper or lower case, or with it as their ID. The index by which a page is read finds
 * them newest first, and the page ends it.
 */
export const matches = (text: string, columns: readonly string[]) => (either: Knex.QueryBuilder) => {
  either.where('id', text)
  for (const column of columns) either.orWhereILike(column, `%${text.replace(/[\\%_]/g, '\\$&')}%`)
}

/**
 * One page of a list in memory, in its own order. The cursor holds the list's name and how many things came before;
 * 400 for one that was made up or is of another list.
 */
export function pageOf<T>(list: string, all: readonly T[], { limit = 20, cursor }: Paging): PageOf<T> {
  let from = 0
  if (cursor !== undefined) {
    const [name, position = ''] = textOf(cursor).split(' ')
    if (name !== list || !/^\d{1,9}$/.test(position)) throw notOfThisList()
    from = Number(position)
  }
  const to = from + limit
  return { data: all.slice(from, to), nextCursor: to < all.length ? cursorOf(`${list} ${to}`) : null }
}

const notOfThisList = () =>
  invalid('cursor', 'Invalid cursor. Use nextCursor from the previous page of this list.')
const cursorOf = (text: string) => Buffer.from(text).toString('base64url')

/** What a cursor holds, provided that it is spelled as `cursorOf` spells it. */
function textOf(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (cursorOf(text) !== cursor) throw notOfThisList()
  return text
}
