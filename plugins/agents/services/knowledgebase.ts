import type { Kernel, Principal } from 'agent-platform'
import { current } from 'agent-platform'
import type { Knowledgebase } from '../schemas.ts'
import type { KnowledgebaseStore } from '../stores/knowledgebase.ts'
import type { AgentService } from './agents.ts'

export type KnowledgebaseService = ReturnType<typeof createKnowledgebaseService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  agentService: AgentService
  knowledgebaseStore: KnowledgebaseStore
}

export function createKnowledgebaseService({ transaction, facts, agentService, knowledgebaseStore }: Deps) {
  async function read(by: Principal, agentId: string): Promise<Knowledgebase> {
    const { project } = await agentService.owned(by, agentId, 'read')
    const found = await knowledgebaseStore.find(project, agentId)
    return found ?? { agentId, content: '', version: 0, updatedAt: null }
  }

  async function replace(by: Principal, agentId: string, content: string, version?: number) {
    const { project, owner } = await agentService.owned(by, agentId, 'change')
    return transaction(async (trx) => {
      const key = { project, owner, agentId, version }
      const { content: text, ...data } = current(await knowledgebaseStore.replace(trx, key, content))
      await facts.record(trx, 'agents.knowledgebase_replaced', by, { subject: agentId, owner, data })
      return { ...data, content: text }
    })
  }

  return { read, replace }
}
