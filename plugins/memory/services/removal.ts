import type { RemoveSome } from 'agent-platform'
import type { Retrieval } from '../../retrieval/contract.ts'
import type { MemoryStore } from '../stores/memories.ts'

interface Deps {
  retrieval: Retrieval
  memoryStore: MemoryStore
}

/** Memories that go with something else. */
export function createMemoryRemoval({ retrieval, memoryStore }: Deps) {
  async function removeThose(trx: Parameters<RemoveSome>[1], project: string, ids: readonly string[]) {
    if (ids.length > 0) await retrieval.remove(trx, project, 'memory.memory', { ids })
    return memoryStore.remove(trx, project, ids)
  }

  /** What an agent wrote in a shared scope stays there. */
  const ofAgent: RemoveSome = async ({ project, id }, trx, limit) =>
    removeThose(trx, project, await memoryStore.listIds(trx, { project, agentId: id, scopeId: null }, limit))

  const ofScope: RemoveSome = async ({ project, id }, trx, limit) =>
    removeThose(trx, project, await memoryStore.listIds(trx, { project, scopeId: id }, limit))

  return { ofAgent, ofScope }
}
