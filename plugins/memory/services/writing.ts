import type { Kernel, Owned, Principal, Trx } from 'agent-platform'
import { conflict, forbidden, insufficientStorage, invalid, newId, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Retrieval } from '../../retrieval/contract.ts'
import type { MemoryFact } from '../contract.ts'
import type { Memory, NewMemory } from '../schemas/memories.ts'
import { memories } from '../schemas/memories.ts'
import { scopes } from '../schemas/scopes.ts'
import type { MemorySettings } from '../settings.ts'
import type { MemoryRow, MemoryStore } from '../stores/memories.ts'
import type { ScopeStore } from '../stores/scopes.ts'
import type { AgentSettings } from './agent-settings.ts'
import { accessOf } from './scopes.ts'
import type { MemorySubjects } from './subjects.ts'

export type MemoryWriting = ReturnType<typeof createMemoryWriting>

/** Where a memory comes from, if not from a client that says it. */
export interface Origin {
  readonly source: Memory['source']
  readonly untrusted: boolean
  /** Written once under it. */
  readonly callId: string
  /** The conversation in which it was learned. */
  readonly sessionId?: string | undefined
}

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  settings: MemorySettings
  agents: Agents
  retrieval: Retrieval
  agentSettings: AgentSettings
  memoryStore: MemoryStore
  scopeStore: ScopeStore
  memorySubjects: MemorySubjects
}

/** How memories come to be, take each other's place, and are found from then on. */
export function createMemoryWriting(deps: Deps) {
  const { knex, transaction, facts, settings, agents, agentSettings, retrieval } = deps
  const { memoryStore, scopeStore, memorySubjects } = deps

  /** In one transaction, with the end of the one whose place it takes. */
  const write = async (by: Principal, input: NewMemory, origin?: Origin): Promise<MemoryRow> =>
    transaction(await prepare(by, input, origin))

  /** All that can be refused beforehand; what is left is to be done in a transaction. */
  async function prepare(
    by: Principal,
    input: NewMemory,
    origin?: Origin
  ): Promise<(trx: Trx) => Promise<MemoryRow>> {
    const { agentId } = input
    const agent = await agents.owned(by, agentId, 'run', '/agentId')
    const { project } = agent
    const superseded = input.supersedes ? await supersedable(by, input) : undefined
    const scopeId = input.scopeId ?? superseded?.scopeId ?? null
    if (scopeId !== null) await checkScope(by, agentId, scopeId)
    const row = {
      id: newId('memory'),
      project,
      owner: await ownerOf(by, agent.owner, superseded, origin),
      agentId,
      type: input.type ?? superseded?.type ?? 'fact',
      content: input.content,
      importance: input.importance ?? superseded?.importance ?? 0.5,
      validFrom: momentOf(input.validFrom ?? new Date()),
      validTo: input.validTo ? momentOf(input.validTo) : null,
      source: origin?.source ?? null,
      scopeId,
      supersedes: superseded?.id ?? null,
      supersededBy: null,
      untrusted: origin?.untrusted ?? false,
      callId: origin?.callId ?? null
    }
    checkTimes(row)
    if (superseded && row.validFrom <= superseded.validFrom)
      throw invalid('/validFrom', 'It must begin after the memory whose place it takes')
    return (trx) => insert(trx, by, row, superseded)
  }

  /** What takes the place of something that one user alone knows is known to no others. */
  const ownerOf = (by: Principal, owner: string, superseded: MemoryRow | undefined, origin?: Origin) =>
    superseded && superseded.scopeId === null
      ? superseded.owner
      : memorySubjects.ownerIn({ by, owner, sessionId: origin?.sessionId })

  async function insert(
    trx: Trx,
    by: Principal,
    row: Omit<MemoryRow, 'version' | 'createdAt' | 'updatedAt'>,
    superseded: MemoryRow | undefined
  ): Promise<MemoryRow> {
    const { project, agentId, scopeId, callId } = row
    if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent', { param: '/agentId' })
    if (scopeId !== null) writableBy(await scopeStore.takeShared(trx, project, scopeId), agentId)
    if (callId !== null) {
      const known =
        (await memoryStore.findByCall(trx, project, callId)) ?? (await memoryStore.findSame(trx, row))
      if (known && known.id !== superseded?.id) return known
    }
    const count = await memoryStore.countUpTo(trx, project, agentId, settings.memories)
    if (count >= settings.memories)
      throw insufficientStorage(`The agent has ${count} memories, as many as it may have`, {
        code: 'memory_full'
      })
    if (superseded) await supersede(trx, by, superseded, row)
    const made = await memories.insert(trx, row)
    await retrieval.put(trx, made, 'memory.memory', [entryOf(made)])
    await facts.record(trx, 'memory.created', by, { subject: made.id, owner: made.owner, data: factOf(made) })
    agentSettings.changed(trx, project, agentId)
    return made
  }

  /** The one whose place is taken: known to the same readers, and not superseded yet. */
  async function supersedable(
    by: Principal,
    { agentId, scopeId, supersedes }: NewMemory
  ): Promise<MemoryRow> {
    const param = '/supersedes'
    const found = await memories.find(knex, supersedes as string)
    if (!found) throw notFound('Memory', { param })
    const isOfScope = found.scopeId !== null && found.project === by.project
    // Whether the agent may write in the scope is asked for the scope.
    if (!isOfScope)
      await memories
        .owned(knex, by, found.id, 'change')
        .catch((error) => Promise.reject(Object.assign(error, { param })))
    if (scopeId != null ? found.scopeId !== scopeId : found.scopeId === null && found.agentId !== agentId)
      throw invalid(param, 'It is a memory of another agent or scope')
    return found as MemoryRow
  }

  async function supersede(
    trx: Trx,
    by: Principal,
    { project, id }: MemoryRow,
    { id: next, validFrom }: { id: string; validFrom: string }
  ) {
    const before = await memories.lock(trx, { project, id })
    if (before.supersededBy !== null)
      throw conflict('Another memory took its place already', {
        code: 'already_superseded',
        param: '/supersedes'
      })
    const validTo = before.validTo !== null && before.validTo < validFrom ? before.validTo : validFrom
    const { row } = await memories.update(trx, { project, id }, { validTo, supersededBy: next })
    await retrieval.put(trx, row, 'memory.memory', [entryOf(row)])
    const data = { ...factOf(row), supersededBy: next }
    await facts.record(trx, 'memory.superseded', by, { subject: id, owner: row.owner, data })
  }

  async function checkScope(by: Principal, agentId: string, scopeId: string) {
    const param = '/scopeId'
    const scope = await scopes.find(knex, scopeId)
    if (!scope) throw notFound('Shared scope', { param })
    if (scope.project !== by.project)
      throw forbidden('You do not have access to this shared scope', { param, code: 'not_owner' })
    writableBy(scope, agentId)
  }

  return { write, prepare }
}

function writableBy(scope: Parameters<typeof accessOf>[0] | undefined, agentId: string): void {
  if (!scope) throw notFound('Shared scope', { param: '/scopeId' })
  if (accessOf(scope, agentId) !== 'write')
    throw forbidden('The agent may not write in this scope', {
      param: '/scopeId',
      code: 'scope_not_writable'
    })
}

/** As the database shows it. */
export const momentOf = (time: string | Date): string => new Date(time).toISOString()

export function checkTimes({ validFrom, validTo }: Pick<Memory, 'validFrom' | 'validTo'>): void {
  if (validTo !== null && validTo <= validFrom) throw invalid('/validTo', 'It must end after it begins')
}

/** What is private to an agent is found by those of its owner alone. */
export const retrievalScope = ({
  agentId,
  owner,
  scopeId
}: Pick<Memory, 'agentId' | 'owner' | 'scopeId'>): string => scopeId ?? `${agentId}/${owner}`

export const entryOf = (row: MemoryRow | (Memory & Owned)) => ({
  id: row.id,
  scope: retrievalScope(row),
  text: row.content,
  attributes: { type: row.type, superseded: row.supersededBy !== null }
})

export const factOf = ({ content: _, ...row }: Memory & Partial<MemoryRow>): MemoryFact => {
  const { project: _project, callId: _callId, ...fact } = row
  return fact
}
