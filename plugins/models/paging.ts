import type { Paging } from 'agent-platform'
import { invalid } from 'agent-platform'

const POSITION = /^after (\d{1,6})$/

/** One page of a list that is in memory, in its own order. The cursor holds how many things came before it. */
export function pageOf<T>(all: readonly T[], { limit = 20, cursor }: Paging) {
  const from = cursor === undefined ? 0 : positionOf(cursor)
  const to = from + limit
  const nextCursor = to < all.length ? Buffer.from(`after ${to}`).toString('base64url') : null
  return { data: all.slice(from, to), nextCursor }
}

function positionOf(cursor: string): number {
  const position = POSITION.exec(Buffer.from(cursor, 'base64url').toString())?.[1]
  if (position === undefined) throw invalid('cursor', 'Not a cursor of this list')
  return Number(position)
}
