import type { Kernel, Paging, Trx } from 'agent-platform'
import { invalid } from 'agent-platform'
import type { RunPlace } from '../contract.ts'
import type { Message, TranscriptMessage } from '../schemas.ts'
import type { WordsRow } from './words.ts'
import { wordsOf } from './words.ts'

export type MessageStore = ReturnType<typeof createMessageStore>

const columns = `"messageId" as id, "sessionId", "runId", role, content, "toolCalls", "callId", "toolName",
    "isError", untrusted, attachments, summarizes, "createdAt", position`

interface Row extends WordsRow, Pick<Message, 'id' | 'sessionId' | 'runId' | 'createdAt'> {
  readonly position: number
}

/** Messages, and characters, that are read at once. */
const PAGE = { messages: 500, characters: 500_000 }
const pageText = `select ${columns}
  from (select m.*, sum(weight) over (order by position rows unbounded preceding) as total
    from (select * from sessions.message where project = ? and "sessionId" = ? and position > ?
      order by position limit ${PAGE.messages}) m) p
  where total - weight < ${PAGE.characters}
  order by position`
const transcriptText = `select ${columns}, count
  from (select m.*, sum(weight) over (order by position desc rows unbounded preceding) as total, count(*) over ()::int
    from (select * from sessions.message where project = ? and "sessionId" = ? and position < ? and role <> 'tool'
      order by position desc limit ?) m) p
  where total - weight < ${PAGE.characters}
  order by position desc`
const ofRunText = `select ${columns}
  from (select * from sessions.message where project = ? and "sessionId" = ?
    order by position desc limit ${PAGE.messages}) m
  where "runId" = ? order by position`
// By the primary key, a run after the other, so that nothing ahead of them is read.
const ofRunsText = `select m.* from unnest(?::text[], ?::text[], ?::int[]) as r(id, session, place)
  cross join lateral (select ${columns} from sessions.message where project = ? and "sessionId" = r.session
    and position >= r.place and "runId" = r.id order by position) m`
const BEYOND = 2 ** 31 - 1

/** A message is not asked for by its id: messages lie in their session, by position. */
export function createMessageStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** A page, newest first, without what tools said: shorter than `limit` where messages are long. */
    async list(project: string, sessionId: string, { limit = 20, cursor }: Paging) {
      const before = cursor === undefined ? BEYOND : positionOf(cursor, sessionId)
      const { rows } = await knex.raw<{ rows: (Row & { readonly count: number })[] }>(transcriptText, [
        project,
        sessionId,
        before,
        limit + 1
      ])
      const data = rows.slice(0, limit)
      const last = data.at(-1)
      return {
        data: data.map(messageOf) as TranscriptMessage[],
        nextCursor: last && last.count > data.length ? cursorOf(sessionId, last.position) : null
      }
    },

    /** Whether anything in it was said by others than people and their agent. */
    async findUntrusted(project: string, sessionId: string): Promise<boolean> {
      const data = knex('sessions.message')
        .where({ project, sessionId })
        .where((any) =>
          any.where({ role: 'tool' }).orWhere({ untrusted: true }).orWhereNotNull('attachments')
        )
      return (await data.first('position')) !== undefined
    },

    async findResult(
      project: string,
      sessionId: string,
      callId: string
    ): Promise<{ output: string } | undefined> {
      const of = { project, sessionId, role: 'tool', callId }
      const row = await knex('sessions.message').where(of).first('content')
      return row && { output: row.content }
    },

    /** Those of a run among the newest ones of its session, the oldest first. */
    async listOfRun(project: string, sessionId: string, runId: string): Promise<readonly Message[]> {
      const { rows } = await knex.raw(ofRunText, [project, sessionId, runId])
      return (rows as Row[]).map(messageOf)
    },

    async listOfRuns(trx: Trx, project: string, runs: readonly RunPlace[]): Promise<readonly Message[]> {
      const { rows } = await trx.raw(ofRunsText, [
        runs.map(({ id }) => id),
        runs.map(({ sessionId }) => sessionId),
        runs.map(({ position }) => position),
        project
      ])
      return (rows as Row[]).map(messageOf)
    },

    /** All of them, the oldest first, in pages that fit into memory whatever is in them. */
    async *listPages(project: string, sessionId: string): AsyncGenerator<readonly Message[]> {
      for (let after = -1; ; ) {
        const { rows } = await knex.raw(pageText, [project, sessionId, after])
        if (rows.length === 0) return
        after = rows.at(-1).position
        yield (rows as Row[]).map(messageOf)
      }
    }
  }
}

const messageOf = ({ id, sessionId, runId, createdAt, ...words }: Row): Message =>
  ({ id, sessionId, runId, ...wordsOf(words), createdAt }) as Message

const cursorOf = (sessionId: string, position: number) =>
  Buffer.from(`${sessionId}/${position}`).toString('base64url')

function positionOf(cursor: string, sessionId: string): number {
  const [, id, position] = /^(\w+)\/(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (id !== sessionId || cursorOf(id, Number(position)) !== cursor)
    throw invalid('cursor', 'Invalid cursor. Use nextCursor from the previous page of this list.')
  return Number(position)
}
