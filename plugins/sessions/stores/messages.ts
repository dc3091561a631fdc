import type { Kernel, Paging, Trx } from 'agent-platform'
import { invalid } from 'agent-platform'
import type { Message } from '../schemas.ts'

export type MessageStore = ReturnType<typeof createMessageStore>

const columns = ['messageId as id', 'sessionId', 'runId', 'role', 'content', 'createdAt'] as const

/** Messages, and characters, that are read at once for a complete history. */
const PAGE = { messages: 500, characters: 500_000 }
const pageText = `select "messageId" as id, "sessionId", "runId", role, content, "createdAt", position
  from (select m.*, sum(length) over (order by position rows unbounded preceding) as total
    from (select * from sessions.message where project = ? and "sessionId" = ? and position > ?
      order by position limit ${PAGE.messages}) m) p
  where total - length < ${PAGE.characters}
  order by position`

/** Nobody asks for a message by its id: messages lie in their session, by position. */
export function createMessageStore({ knex }: Pick<Kernel, 'knex'>) {
  const messages = (on: Kernel['knex'] | Trx, project: string, sessionId: string) =>
    on('sessions.message').where({ project, sessionId })

  return {
    /** A page, newest first. */
    async list(project: string, sessionId: string, { limit = 20, cursor }: Paging) {
      const query = messages(knex, project, sessionId)
      if (cursor !== undefined) query.where('position', '<', positionOf(cursor, sessionId))
      const rows: (Message & { position: number })[] = await query
        .orderBy('position', 'desc')
        .limit(limit + 1)
        .select('position', ...columns)
      const data = rows.slice(0, limit)
      const last = rows.length > limit ? data.at(-1) : undefined
      return { data, nextCursor: last ? cursorOf(sessionId, last.position) : null }
    },

    /** All of them, the oldest first, in pages that fit into memory whatever is in them. */
    async *listPages(project: string, sessionId: string): AsyncGenerator<readonly Message[]> {
      for (let after = -1; ; ) {
        const { rows } = await knex.raw(pageText, [project, sessionId, after])
        if (rows.length === 0) return
        after = rows.at(-1).position
        yield (rows as (Message & { position: number })[]).map(({ position, ...message }) => message)
      }
    }
  }
}

const cursorOf = (sessionId: string, position: number) =>
  Buffer.from(`${sessionId}/${position}`).toString('base64url')

function positionOf(cursor: string, sessionId: string): number {
  const [, id, position] = /^(\w+)\/(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id !== sessionId || cursorOf(id, Number(position)) !== cursor)
    throw invalid('cursor', 'Not a cursor of this list')
  return Number(position)
}
