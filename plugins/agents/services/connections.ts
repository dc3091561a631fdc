import type { Kernel, Paging, Principal } from 'agent-platform'
import { conflict, invalid, newId, notFound, typeOfId } from 'agent-platform'
import type { Peer } from '../contract.ts'
import type { NewConnection } from '../schemas.ts'
import { connections } from '../schemas.ts'
import type { AgentStore } from '../stores/agents.ts'
import type { ConnectionStore } from '../stores/connections.ts'
import type { AgentService } from './agents.ts'

export type ConnectionService = ReturnType<typeof createConnectionService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'points'> {
  agentService: AgentService
  agentStore: AgentStore
  connectionStore: ConnectionStore
}

export function createConnectionService(deps: Deps) {
  const { knex, transaction, facts, points, agentService, agentStore, connectionStore } = deps

  async function list(by: Principal, agentId: string, page: Paging) {
    await agentService.owned(by, agentId, 'read')
    return connections.list(knex, by, page, { agentId })
  }

  async function peers(by: Principal, agentId: string) {
    const { project } = await agentService.owned(by, agentId, 'run')
    const pinned = await connectionStore.listPeers(project, agentId)
    const others = new Map<string, { name: string; toolId: string }>()
    const unnamed = pinned.filter(({ name }) => name === null).map(({ agentId }) => agentId)
    for (const [type, ids] of Map.groupBy(unnamed, typeOfId))
      for (const { id, name, toolId } of (await kindOf(type)?.list(project, ids)) ?? [])
        others.set(id, { name, toolId })
    return pinned.flatMap((peer): Peer[] => {
      const other = others.get(peer.agentId)
      if (other) return [{ ...peer, ...other }]
      return peer.name === null ? [] : [{ ...peer, name: peer.name }]
    })
  }

  const kindOf = (type: string | undefined) =>
    points.all('agents.peer').find(({ key }) => key === type)?.value

  async function pin(by: Principal, agentId: string, { peerAgentId, description = null }: NewConnection) {
    const { project, owner } = await agentService.owned(by, agentId, 'change')
    if (peerAgentId === agentId) throw invalid('/peerAgentId', 'An agent is no peer of itself')
    const kind = kindOf(typeOfId(peerAgentId))
    if (kind) await kind.check(by, peerAgentId, '/peerAgentId')
    else await agentService.owned(by, peerAgentId, 'run', '/peerAgentId')
    return transaction(async (trx) => {
      const held = kind ? [agentId] : [agentId, peerAgentId]
      if (!(await agentStore.takeShare(trx, project, held))) throw notFound('Agent')
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
