import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, invalid, newId, notFound } from 'agent-platform'
import type { NewConnection } from '../schemas.ts'
import { connections } from '../schemas.ts'
import type { AgentStore } from '../stores/agents.ts'
import type { ConnectionStore } from '../stores/connections.ts'
import type { AgentService } from './agents.ts'

export type ConnectionService = ReturnType<typeof createConnectionService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agentService: AgentService
  agentStore: AgentStore
  connectionStore: ConnectionStore
}

export function createConnectionService(deps: Deps) {
  const { knex, transaction, facts, agentService, agentStore, connectionStore } = deps

  async function list(by: Principal, agentId: string, page: Paging) {
    await agentService.owned(by, agentId, 'read')
    return connections.list(knex, by, page, { agentId })
  }

  async function peers(by: Principal, agentId: string) {
    const { project } = await agentService.owned(by, agentId, 'run')
    return connectionStore.listPeers(project, agentId)
  }

  async function pin(by: Principal, agentId: string, { peerAgentId, description = null }: NewConnection) {
    const { project, owner } = await agentService.owned(by, agentId, 'change')
    if (peerAgentId === agentId) throw invalid('/peerAgentId', 'An agent is no peer of itself')
    await agentService.owned(by, peerAgentId, 'run', '/peerAgentId')
    return transaction(async (trx) => {
      if (!(await agentStore.takeShare(trx, project, [agentId, peerAgentId]))) throw notFound('Agent')
      const row = { id: newId('connection'), project, owner, agentId, peerAgentId, description }
      const connection = await connectionStore.insert(trx, row)
      if (!connection) throw conflict('That peer is pinned already', { code: 'already_pinned' })
      await facts.record(trx, 'agents.connection_pinned', by, { subject: agentId, owner, data: connection })
      return connection
    })
  }

  async function unpin(by: Principal, id: string) {
    const found = await connections.owned(knex, by, id, 'change')
    const { owner, agentId } = found
    await transaction(async (trx) => {
      await connections.remove(trx, found)
      await facts.record(trx, 'agents.connection_unpinned', by, { subject: agentId, owner, data: found })
    })
  }

  return { list, peers, pin, unpin }
}
