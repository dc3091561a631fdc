import type { Kernel, Paging, Principal, Trx, Verb } from 'agent-platform'
import { conflict, current, newId, owned, reachOwner } from 'agent-platform'
import type { Agents } from '../contract.ts'
import type { AgentChanges, NewAgent } from '../schemas.ts'
import type { AgentStore } from '../stores/agents.ts'
import type { ConnectionStore } from '../stores/connections.ts'
import type { KnowledgebaseStore } from '../stores/knowledgebase.ts'
import type { RemovalStore } from '../stores/removals.ts'

export type AgentService = ReturnType<typeof createAgentService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'points' | 'limits' | 'credentials'> {
  agentStore: AgentStore
  connectionStore: ConnectionStore
  knowledgebaseStore: KnowledgebaseStore
  removalStore: RemovalStore
}

export function createAgentService(deps: Deps) {
  const { transaction, facts, points, limits, credentials, agentStore } = deps

  const create = (by: Principal, input: NewAgent) => transaction((trx) => insert(trx, by, input))

  async function insert(trx: Trx, by: Principal, input: NewAgent) {
    const { project, owner } = by
    const agent = await agentStore.insert(trx, { ...input, id: newId('agent'), project, owner })
    await facts.record(trx, 'agents.created', by, { subject: agent.id, owner, data: agent })
    return agent
  }

  async function ensure(by: Principal, input: NewAgent & { name: string }) {
    const known = await agentStore.findNamed(by, input.name)
    if (known) return known
    return transaction(async (trx) => {
      await agentStore.takeName(trx, by, input.name)
      return (await agentStore.findNamed(by, input.name, trx)) ?? insert(trx, by, input)
    })
  }

  async function list(by: Principal, { owner, ...page }: Paging & { owner?: string }) {
    if (owner !== undefined) reachOwner(by, owner, 'owner')
    return agentStore.list(by, page, owner)
  }

  const find = async (by: Principal, id: string, verb: Verb, param?: string) => {
    const agent = owned(by, await agentStore.find(id), 'Agent', verb, {
      ...(param !== undefined && { param })
    })
    await limits.agent(by, id)
    return agent
  }

  async function update(by: Principal, id: string, changes: AgentChanges, version?: number) {
    const { project, owner } = await find(by, id, 'change')
    return transaction(async (trx) => {
      const agent = current(await agentStore.update(trx, { project, id, version }, changes), 'Agent', version)
      await facts.record(trx, 'agents.updated', by, { subject: id, owner, data: agent })
      return agent
    })
  }

  /** 404 from then on; what other packs keep for it follows. */
  async function remove(by: Principal, id: string, version?: number) {
    const agent = await find(by, id, 'change')
    const kept = points.all('agents.belongings')
    for (const { pack, value } of kept) {
      const reason = await value.veto?.(agent)
      if (reason !== undefined) throw conflict(reason, { code: `${pack}_veto` })
    }
    const { project, owner } = agent
    await transaction(async (trx) => {
      current(await agentStore.bury(trx, { project, id, version }), 'Agent', version)
      await deps.connectionStore.removeOfAgent(trx, project, id)
      await deps.knowledgebaseStore.removeOfAgent(trx, project, id)
      await deps.removalStore.owe(
        trx,
        project,
        id,
        kept.map(({ pack }) => pack)
      )
      await facts.record(trx, 'agents.deleted', by, { subject: id, owner, data: { id } })
    })
    await credentials.revokePrincipal(project, id)
  }

  return { create, ensure, list, owned: find satisfies Agents['owned'], update, remove }
}
