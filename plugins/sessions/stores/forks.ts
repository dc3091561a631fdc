import type { Kernel, Principal, Searching, Trx } from 'agent-platform'
import { conflict, paginate, reach } from 'agent-platform'
import type { ForkedFrom } from '../schemas.ts'
import type { SessionRow } from './sessions.ts'
import { columns } from './sessions.ts'

export type ForkStore = ReturnType<typeof createForkStore>

/** Each copies messages: without a limit, a client could fill the disk with one long session. */
const MOST_FORKS = 1_000

/** Position of the last message that belongs to a message: an assistant's calls are followed by their results. */
const endText = `select coalesce(
    (select min(position) from sessions.message
      where project = :project and "sessionId" = :sessionId and position > m.position and role <> 'tool') - 1,
    2147483647) as position
  from sessions.message m
  where project = :project and "sessionId" = :sessionId and "messageId" = :messageId`

// Copies have the ids, times and runs of the originals: what two branches share is the same message in both.
const copied = `position, "messageId", owner, "runId", role, content, "createdAt", "toolCalls", "callId", "toolName",
  "isError", untrusted, attachments, reply, summarizes`
const copyText = `insert into sessions.message (project, "sessionId", ${copied})
  select project, :fork, ${copied} from sessions.message
    where project = :project and "sessionId" = :sessionId and position <= :end`

/** Sessions that began as a copy of another one. */
export function createForkStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /**
     * Inserts a fork of `source` with its messages up to a position.
     *
     * @param row.forkedFrom.messageId the last message that is copied, with the results of its calls; null: none
     * @returns undefined if the source has no such message
     * @throws conflict `too_many_forks`
     */
    async insert(
      trx: Trx,
      source: SessionRow,
      row: Pick<SessionRow, 'id' | 'title' | 'metadata'> & { forkedFrom: ForkedFrom }
    ): Promise<SessionRow | undefined> {
      const { project, id: sessionId, owner, initiator, agentId } = source
      const { messageId } = row.forkedFrom
      // Locked, so that no run appends between what is copied and what counts as copied.
      const locked = await trx('sessions.session')
        .where({ project, id: sessionId })
        .forShare()
        .first('rootId', 'nextPosition')
      if (!locked) return undefined
      const rootId = locked.rootId ?? sessionId
      const [family] = await trx('sessions.session').where({ project, rootId }).count('id as forks')
      if (Number(family?.forks) >= MOST_FORKS)
        throw conflict(`A conversation has ${MOST_FORKS} forks at most. Delete some of them.`, {
          code: 'too_many_forks'
        })
      const end = messageId === null ? -1 : await findEnd(trx, { project, sessionId, messageId })
      if (end === undefined) return undefined
      const [fork] = await trx('sessions.session')
        .insert({
          ...row,
          project,
          owner,
          initiator,
          agentId,
          rootId,
          nextPosition: Math.min(end + 1, locked.nextPosition)
        })
        .returning(columns)
      await trx.raw(copyText, { fork: row.id, project, sessionId, end })
      return fork
    },

    /** The ID of the newest message of a session, null if it has none. */
    async findNewest(trx: Trx, { project, id: sessionId }: SessionRow): Promise<string | null> {
      const row = await trx('sessions.message')
        .where({ project, sessionId })
        .orderBy('position', 'desc')
        .first('messageId')
      return row?.messageId ?? null
    },

    /** The session, those it was forked from and all their forks, as far as the principal reaches them. */
    async list(by: Principal, page: Searching, { project, id }: SessionRow) {
      const row = await knex('sessions.session').where({ project, id }).first('rootId')
      const root = row?.rootId ?? id
      const family = reach(by, knex('sessions.session'))
        .where((either) => either.where({ id: root }).orWhere({ rootId: root }))
        .select(...columns)
      return paginate<SessionRow>(family, page, 'session', ['title'])
    }
  }
}

async function findEnd(trx: Trx, message: { project: string; sessionId: string; messageId: string }) {
  const { rows } = await trx.raw<{ rows: { position: number }[] }>(endText, message)
  return rows[0]?.position
}
