import type { Kernel, Principal, Verb } from 'agent-platform'
import { forbidden, invalid, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Retrieval } from '../../retrieval/contract.ts'
import type { MemoryChanges, MemoryQuery, MemoryStats, NewMemory } from '../schemas/memories.ts'
import { memories } from '../schemas/memories.ts'
import { scopes } from '../schemas/scopes.ts'
import type { Known, MemoryRow, MemoryStore } from '../stores/memories.ts'
import type { ScopeStore } from '../stores/scopes.ts'
import { accessOf } from './scopes.ts'
import type { MemoryWriting, Origin } from './writing.ts'
import { checkTimes, entryOf, factOf, momentOf, retrievalScope } from './writing.ts'

export type MemoryService = ReturnType<typeof createMemoryService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
  retrieval: Retrieval
  memoryStore: MemoryStore
  scopeStore: ScopeStore
  memoryWriting: MemoryWriting
}

export function createMemoryService(deps: Deps) {
  const { knex, transaction, facts, agents, retrieval, memoryStore, scopeStore, memoryWriting } = deps

  /** When it returns it is found by its meaning, as a rule. */
  async function create(by: Principal, input: NewMemory, origin?: Origin) {
    const made = await memoryWriting.write(by, input, origin)
    await retrieval.embedded(made.project, 'memory.memory', [made.id])
    return made
  }

  /** What the agent knows, as far as the principal reaches it. */
  async function known(by: Principal, agentId: string): Promise<Known> {
    const { project } = await agents.owned(by, agentId, 'read')
    const readable = await scopeStore.listReadable(project, agentId)
    return { project, agentId, owners: by, scopeIds: readable.map(({ id }) => id) }
  }

  async function list(by: Principal, agentId: string, { type, scopeId, asOf, all, ...page }: MemoryQuery) {
    if (all && asOf !== undefined) throw invalid('asOf', 'Not with `all`')
    const of = await known(by, agentId)
    return memoryStore.list(of, { type, scopeId, asOf: all ? null : asOf }, page)
  }

  async function stats(by: Principal, agentId: string): Promise<MemoryStats> {
    const of = await known(by, agentId)
    const { types, past } = await memoryStore.count(of)
    const agent = await agents.owned(by, agentId, 'read')
    const own = retrievalScope({ agentId, owner: by.initiator ?? agent.owner, scopeId: null })
    const progress = await retrieval.progress(of.project, 'memory.memory', [own, ...of.scopeIds])
    const { model = null, embedded, total } = progress
    const sum = Object.values(types).reduce((sum, count) => sum + count, 0)
    return { agentId, total: sum, types, past, embedding: { model, embedded, total } }
  }

  /** Its owner's, its agent's, and of a shared one also those of agents in the scope that may do that. */
  async function owned(by: Principal, id: string, verb: Verb): Promise<MemoryRow> {
    const found = await memories.find(knex, id)
    if (found?.scopeId && by.type === 'agent' && !by.attenuation?.agents && found.project === by.project) {
      const scope = await scopes.find(knex, found.scopeId)
      const access = scope && accessOf(scope, by.id)
      if (access === 'write' || (access === 'read' && verb === 'read')) return found as MemoryRow
    }
    return (await memories.owned(knex, by, id, verb)) as MemoryRow
  }

  const read = (by: Principal, id: string) => owned(by, id, 'read')

  async function update(by: Principal, id: string, changes: MemoryChanges, version?: number) {
    const found = await owned(by, id, 'change')
    const { validFrom, validTo, content } = changes
    const wanted = {
      ...changes,
      ...(validFrom !== undefined && { validFrom: momentOf(validFrom) }),
      ...(validTo && { validTo: momentOf(validTo) }),
      // What a person wrote anew is not made of what a tool said.
      ...(content !== undefined && content !== found.content && by.type !== 'agent' && { untrusted: false })
    }
    return edit(by, found, wanted, version)
  }

  const edit = (by: Principal, found: MemoryRow, changes: Partial<MemoryRow>, version?: number) =>
    transaction(async (trx) => {
      const { row, isChanged } = await memories.update(trx, found, changes, version)
      checkTimes(row)
      if (!isChanged) return row
      await retrieval.put(trx, row, 'memory.memory', [entryOf(row)])
      await facts.record(trx, 'memory.updated', by, { subject: row.id, owner: row.owner, data: factOf(row) })
      return row
    })

  /** For good: nothing of it is left to be read as of then. */
  async function remove(by: Principal, id: string, version?: number) {
    const found = await owned(by, id, 'change')
    return transaction(async (trx) => {
      const { project, owner } = await memories.remove(trx, found, version)
      await retrieval.remove(trx, project, 'memory.memory', { ids: [id] })
      await facts.record(trx, 'memory.deleted', by, { subject: id, owner, data: { id } })
      return { id, deleted: true as const }
    })
  }

  /** By the agent: it is not so any more, and is kept. Its own ones, and those of scopes that it may write in. */
  async function forget(by: Principal, agentId: string, id: string): Promise<void> {
    const found = await memories.find(knex, id)
    if (!found || found.project !== by.project) throw notFound('Memory')
    const scope = found.scopeId === null ? undefined : await scopes.find(knex, found.scopeId)
    const isOwn = found.scopeId === null && found.agentId === agentId
    if (!isOwn && !(scope && accessOf(scope, agentId) === 'write'))
      throw forbidden('The agent may not forget that memory')
    if (isOwn) await memories.owned(knex, by, id, 'change')
    const now = momentOf(new Date())
    if (found.validTo !== null && found.validTo <= now) return
    // What begins later never was so.
    const validTo = found.validFrom < now ? now : momentOf(new Date(Date.parse(found.validFrom) + 1))
    await edit(by, found as MemoryRow, { validTo })
  }

  return { create, list, stats, read, update, remove, forget }
}
