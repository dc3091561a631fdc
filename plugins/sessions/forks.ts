import type { Kernel, Principal, Searching } from 'agent-platform'
import { newId, notFound } from 'agent-platform'
import type { Agents } from '../agents/contract.ts'
import type { NewFork, Session } from './schemas.ts'
import type { SessionService } from './service.ts'
import { publishedOf, refuseLarge } from './service.ts'
import type { ForkStore } from './stores/forks.ts'

export type ForkService = ReturnType<typeof createForkService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  agents: Agents
  sessionService: SessionService
  forkStore: ForkStore
}

/** Forks of sessions: another continuation of a conversation, beside the one that there is. */
export function createForkService({ transaction, facts, agents, sessionService, forkStore }: Deps) {
  /**
   * Copies a session up to a message. The fork belongs to whom the session belongs, so that attachments remain readable.
   *
   * @throws 403 unless the principal may change the session and run its agent; 404 if the session or the message is unknown;
   * 409 `too_many_forks`
   */
  async function fork(by: Principal, id: string, { afterMessageId, ...fields }: NewFork): Promise<Session> {
    const { metadata } = fields
    refuseLarge(metadata)
    const source = await sessionService.owned(by, id, 'change')
    const { project, owner, agentId } = source
    await agents.owned(by, agentId, 'run')
    return transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      const messageId =
        afterMessageId === undefined ? await forkStore.findNewest(trx, source) : afterMessageId
      const row = {
        id: newId('session'),
        title: fields.title === undefined ? source.title : fields.title,
        metadata: metadata ?? source.metadata,
        forkedFrom: { sessionId: id, messageId }
      }
      const session = await forkStore.insert(trx, source, row)
      if (!session) throw notFound('Message', { param: '/afterMessageId' })
      await facts.record(trx, 'sessions.created', by, {
        subject: session.id,
        owner,
        data: publishedOf(session)
      })
      return session
    })
  }

  /** Every branch of the conversation that the principal reaches, in pages. */
  async function branches(by: Principal, id: string, page: Searching) {
    return forkStore.list(by, page, await sessionService.owned(by, id, 'read'))
  }

  return { fork, branches }
}
