import type { Kernel } from 'agent-platform'
import { newId } from 'agent-platform'
import type { NewSummary } from '../contract.ts'

/** Messages that stand for earlier ones. */
export function createSummaryStore({ transaction }: Pick<Kernel, 'transaction'>) {
  return {
    /** At the end of its session. Undefined where that is gone, or another summary stands for as many messages. */
    insert: ({ project, owner, sessionId, content, untrusted, until }: NewSummary) =>
      transaction(async (trx): Promise<{ id: string } | undefined> => {
        const [session] = await trx('sessions.session')
          .where({ project, id: sessionId })
          .update({ nextPosition: trx.raw('"nextPosition" + 1') })
          .returning('nextPosition')
        if (!session) return undefined
        const position = session.nextPosition - 1
        const before = await trx('sessions.message')
          .where({ project, sessionId })
          .where('summarizes', '>=', until)
          .first('position')
        // The position that was taken stays empty, as that of a run which wrote nothing.
        if (before || until >= position) return undefined
        const id = newId('message')
        const text = content.replaceAll('\0', '\ufffd')
        const row = { project, sessionId, position, messageId: id, owner, runId: null, role: 'system' }
        await trx('sessions.message').insert({ ...row, content: text, untrusted, summarizes: until })
        return { id }
      })
  }
}
