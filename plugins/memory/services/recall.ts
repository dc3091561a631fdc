import type { Kernel, Principal } from 'agent-platform'
import { pageOf } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Retrieval } from '../../retrieval/contract.ts'
import type { MemoryType, RetrievedMemory, RetrieveQuery } from '../schemas/memories.ts'
import type { MemoryRow, MemoryStore } from '../stores/memories.ts'
import type { ScopeStore } from '../stores/scopes.ts'
import type { MemorySubjects } from './subjects.ts'
import { retrievalScope } from './writing.ts'

export type Recall = ReturnType<typeof createRecall>

/** Whose memories are looked through. */
export interface Remembering {
  readonly project: string
  readonly agentId: string
  readonly owners: readonly string[]
}

interface Wanted {
  readonly query: string
  readonly limit: number
  readonly type?: MemoryType | undefined
  readonly asOf?: string | undefined
}

interface Deps extends Pick<Kernel, 'knex'> {
  agents: Agents
  retrieval: Retrieval
  memoryStore: MemoryStore
  scopeStore: ScopeStore
  memorySubjects: MemorySubjects
}

const WEIGHTS = { relevance: 0.8, recency: 0.1, importance: 0.1 }
const HALF_LIFE_MS = 30 * 86_400_000
/** Of those that are found some are not so then, and their places change by what counts beside relevance. */
const SPARE = 4
const MOST = 200
/** In all pages of a search. */
const MOST_SHOWN = 100

/** What fits, what is new and what counts, in this order. */
export function createRecall({ agents, retrieval, memoryStore, scopeStore, memorySubjects }: Deps) {
  async function recall(
    { project, agentId, owners }: Remembering,
    { query, limit, type, asOf }: Wanted
  ): Promise<(MemoryRow & RetrievedMemory)[]> {
    const shared = await scopeStore.listReadable(project, agentId)
    const own = owners.map((owner) => retrievalScope({ agentId, owner, scopeId: null }))
    const hits = await retrieval.search({
      project,
      collection: 'memory.memory',
      scopes: [...own, ...shared.map(({ id }) => id)],
      query,
      limit: Math.min(limit * SPARE, MOST),
      // In the past those count that another one took the place of since.
      filter: { ...(type && { type }), ...(asOf === undefined && { superseded: false }) }
    })
    const rows = await memoryStore.listByIds(
      project,
      hits.map(({ id }) => id),
      asOf
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    const now = Date.parse(asOf ?? new Date().toISOString())
    const scored = hits.flatMap(({ id, score: relevance, why }) => {
      const row = byId.get(id)
      if (!row) return []
      const recency = 2 ** -(Math.max(0, now - Date.parse(row.validFrom)) / HALF_LIFE_MS)
      const { importance } = row
      const score =
        WEIGHTS.relevance * relevance + WEIGHTS.recency * recency + WEIGHTS.importance * importance
      const ranks = { vectorRank: why.vector?.rank ?? null, textRank: why.text?.rank ?? null }
      return [{ ...row, score, why: { relevance, ...ranks, recency, importance } }]
    })
    return scored.sort((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1)).slice(0, limit)
  }

  async function retrieve(by: Principal, agentId: string, { limit, cursor, ...wanted }: RetrieveQuery) {
    const { project, owner } = await agents.owned(by, agentId, 'read')
    const owners = await memorySubjects.ownersIn({ by, owner })
    const found = await recall({ project, agentId, owners }, { ...wanted, limit: MOST_SHOWN })
    return pageOf('memories', found, { ...(limit && { limit }), ...(cursor && { cursor }) })
  }

  return { recall, retrieve }
}
