import type { Kernel, Owned, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Words } from '../contract.ts'

export type ArchiveStore = ReturnType<typeof createArchiveStore>

/** A message of an archive: of a run that is not here. */
export type Arrived = Words & { readonly createdAt: string }

interface Past extends Owned {
  readonly id: string
  readonly agentId: string
  readonly initiator: string
  readonly title: string | null
  readonly createdAt: string
}

const PAGE = 200

/** Whole sessions, as they leave and arrive. */
export function createArchiveStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** Of an owner, the oldest first, behind that id. */
    listOfAgent: (
      { project, owner }: Owned,
      agentId: string,
      after: string
    ): Promise<Pick<Past, 'id' | 'title' | 'createdAt'>[]> =>
      knex('sessions.session')
        .where({ project, owner, agentId })
        .where('id', '>', after)
        .orderBy('id')
        .limit(PAGE)
        .select('id', 'title', 'createdAt'),

    async insert(
      trx: Trx,
      session: Past
    ): Promise<{ version: number; createdAt: string; updatedAt: string }> {
      const [row] = await trx('sessions.session')
        .insert({ ...session, metadata: '{}' })
        .returning(['version', 'createdAt', 'updatedAt'])
      return row
    },

    /** At the end of their session. */
    async insertMessages(
      trx: Trx,
      { project, owner, id }: Owned & { id: string },
      messages: readonly Arrived[]
    ) {
      const [session] = await trx('sessions.session')
        .where({ project, id })
        .update({ nextPosition: trx.raw('"nextPosition" + ?', [messages.length]) })
        .returning('nextPosition')
      const first = session.nextPosition - messages.length
      const rows = messages.map((message, index) => ({
        project,
        sessionId: id,
        position: first + index,
        messageId: newId('message'),
        owner,
        runId: null,
        role: message.role,
        content: message.content,
        createdAt: message.createdAt,
        toolCalls: 'toolCalls' in message ? JSON.stringify(message.toolCalls) : null,
        callId: 'callId' in message ? message.callId : null,
        toolName: 'toolName' in message ? message.toolName : null,
        isError: 'isError' in message ? message.isError : null,
        untrusted: 'untrusted' in message && message.untrusted === true
      }))
      await trx('sessions.message').insert(rows)
    }
  }
}
