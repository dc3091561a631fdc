import type { Kernel, Principal } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { Knowledgebase } from '../schemas.ts'
import type { AgentStore } from '../stores/agents.ts'
import type { KnowledgebaseStore } from '../stores/knowledgebase.ts'
import type { AgentService } from './agents.ts'

export type KnowledgebaseService = ReturnType<typeof createKnowledgebaseService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  agentService: AgentService
  agentStore: AgentStore
  knowledgebaseStore: KnowledgebaseStore
}

export function createKnowledgebaseService(deps: Deps) {
  const { transaction, facts, agentService, agentStore, knowledgebaseStore } = deps

  async function read(by: Principal, agentId: string): Promise<Knowledgebase> {
    const { project, owner } = await agentService.owned(by, agentId, 'read')
    const found = await knowledgebaseStore.find(project, agentId)
    return found ?? { agentId, owner, content: '', version: 0, createdAt: null, updatedAt: null }
  }

  async function replace(by: Principal, agentId: string, content: string, version?: number) {
    const { project, owner } = await agentService.owned(by, agentId, 'change')
    return transaction(async (trx) => {
      if (!(await agentStore.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      const key = { project, owner, agentId }
      const { row, isChanged } = await knowledgebaseStore.replace(trx, key, content, version)
      const { content: _, ...data } = row
      if (isChanged)
        await facts.record(trx, 'agents.knowledgebase_replaced', by, { subject: agentId, owner, data })
      return row
    })
  }

  return { read, replace }
}
