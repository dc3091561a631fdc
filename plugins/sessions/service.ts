import type { Kernel, Paging, Principal, Verb } from 'agent-platform'
import { current, invalid, newId, notFound, owned, reachOwner } from 'agent-platform'
import type { Agents } from '../agents/contract.ts'
import type { Sessions } from './contract.ts'
import type { NewSession, Session, SessionChanges } from './schemas.ts'
import type { MessageStore } from './stores/messages.ts'
import type { RemovalStore } from './stores/removals.ts'
import type { SessionRow, SessionStore } from './stores/sessions.ts'

export type SessionService = ReturnType<typeof createSessionService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'limits'> {
  agents: Agents
  sessionStore: SessionStore
  messageStore: MessageStore
  removalStore: RemovalStore
}

const METADATA_BYTES = 16_384

export function createSessionService(deps: Deps) {
  const { transaction, facts, limits, agents, sessionStore, messageStore, removalStore } = deps

  async function create(by: Principal, { agentId, title = null, metadata = {} }: NewSession) {
    refuseLarge(metadata)
    const { project } = await agents.owned(by, agentId, 'run', '/agentId')
    return transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent', { param: '/agentId' })
      const { owner, initiator = by.id } = by
      const row = { id: newId('session'), project, owner, agentId, initiator, title, metadata }
      const session = await sessionStore.insert(trx, row)
      await facts.record(trx, 'sessions.created', by, { subject: row.id, owner, data: publishedOf(session) })
      return session
    })
  }

  const find = async (by: Principal, id: string, verb: Verb, param?: string): Promise<SessionRow> => {
    const session = owned(by, await sessionStore.find(id), 'Session', verb, {
      ...(param !== undefined && { param })
    })
    await limits.agent(by, session.agentId)
    return session
  }

  /** The session, and all its messages in pages, the oldest first. */
  async function full(by: Principal, id: string) {
    const { project, ...session } = await find(by, id, 'read')
    return { session, pages: messageStore.listPages(project, id) }
  }

  async function transcript(by: Principal, id: string, page: Paging) {
    const { project } = await find(by, id, 'read')
    return messageStore.list(project, id, page)
  }

  async function list(by: Principal, of: { agentId?: string; initiator?: string }, page: Paging) {
    if (of.agentId !== undefined) await agents.owned(by, of.agentId, 'read')
    // An agent began sessions under its own name, though what it makes belongs to its owner.
    if (of.initiator !== undefined && of.initiator !== by.id) reachOwner(by, of.initiator, 'initiator')
    return sessionStore.list(by, page, of)
  }

  async function update(
    by: Principal,
    id: string,
    { metadata, ...others }: SessionChanges,
    version?: number
  ): Promise<Session> {
    const changes = { ...others, ...(metadata !== undefined && { metadata: metadata ?? {} }) }
    refuseLarge(changes.metadata)
    const { project, owner, version: before } = await find(by, id, 'change')
    return transaction(async (trx) => {
      const key = { project, id, version }
      const session = current(await sessionStore.update(trx, key, changes), 'Session', version)
      if (session.version !== before)
        await facts.record(trx, 'sessions.updated', by, { subject: id, owner, data: publishedOf(session) })
      return session
    })
  }

  async function remove(by: Principal, id: string, version?: number) {
    const { project, owner, agentId } = await find(by, id, 'change')
    await transaction(async (trx) => {
      current(await removalStore.remove(trx, { project, id, version }), 'Session', version)
      await facts.record(trx, 'sessions.deleted', by, { subject: id, owner, data: { id, agentId } })
    })
  }

  return { create, owned: find satisfies Sessions['owned'], full, transcript, list, update, remove }
}

/** @throws invalid if metadata is longer than 16 KiB as JSON */
export function refuseLarge(metadata: object | undefined) {
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > METADATA_BYTES)
    throw invalid('/metadata', `/metadata must not be longer than ${METADATA_BYTES} bytes as JSON`)
}

/** What others may know of a session: facts are kept for long, and what its user wrote is not theirs. */
export const publishedOf = ({
  id,
  agentId,
  owner,
  initiator,
  version,
  createdAt,
  updatedAt
}: Omit<Session, 'title' | 'metadata' | 'forkedFrom'>) => ({
  id,
  agentId,
  owner,
  initiator,
  version,
  createdAt,
  updatedAt
})
