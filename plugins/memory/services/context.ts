import { hash } from 'node:crypto'
import type { Kernel } from 'agent-platform'
import { markUntrusted } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Context, ContextSource, RunInfo } from '../../runs/contract.ts'
import type { Known, MemoryRow, MemoryStore } from '../stores/memories.ts'
import type { ScopeStore } from '../stores/scopes.ts'
import type { AgentSettings } from './agent-settings.ts'
import type { Recall } from './recall.ts'
import type { MemorySubjects } from './subjects.ts'

interface Deps extends Pick<Kernel, 'cache' | 'log'> {
  agents: Agents
  agentSettings: AgentSettings
  memoryStore: MemoryStore
  scopeStore: ScopeStore
  recall: Recall
  memorySubjects: MemorySubjects
}

/** As the runs pack counts. */
const CHARACTERS_A_TOKEN = 3.5
/** Whatever else fits to what was asked, these say how the agent is to be. */
const STANDING = ['instruction', 'preference'] as const
/** Rows that are looked at: with a line of at least ten characters, more than any budget takes. */
const MOST = 200
/** A run asks before each step; its prompt stays what it was. */
const KEEP_MS = 900_000

/**
 * What an agent remembers, in its prompt. As long as all fits into the budget it is all there, always in the same order, so
 * that the text is the same byte by byte until a memory changes, and providers find it in their caches. Beyond that, what
 * stands for good (instructions, preferences) has up to half, and the rest is what fits best to what is asked: chosen once a
 * run, and shown in the order of ids.
 */
export function createMemoryContext(deps: Deps): ContextSource {
  const { agents, agentSettings, memoryStore, scopeStore, recall, memorySubjects } = deps
  const choices = deps.cache('memory.context')

  async function context(run: RunInfo, input: string): Promise<Context | undefined> {
    const { project, agentId } = run
    const { contextTokens, hasAny } = await agentSettings.glance(project, agentId)
    if (!hasAny) return undefined
    const budget = contextTokens * CHARACTERS_A_TOKEN
    const { agent } = await agents.profile(run.by, agentId, 'run')
    const { by, sessionId } = run
    const owners = await memorySubjects.ownersIn({ by, owner: agent.owner, sessionId })
    const readable = await scopeStore.listReadable(project, agentId)
    const of: Known = { project, agentId, owners, scopeIds: readable.map(({ id }) => id) }
    const all = await memoryStore.listWeightiest(of, undefined, MOST)
    if (all.length === 0) return undefined
    if (all.length < MOST && sizeOf(all) <= budget) return contextOf(all, owners)
    return contextOf(await chosen(run, of, input, budget), owners)
  }

  /** Kept by id: what is deleted, or out of reach since, is not shown in the next step. */
  async function chosen(run: RunInfo, of: Known, input: string, budget: number): Promise<MemoryRow[]> {
    const known = await choices.get<readonly string[]>(run.id)
    if (known !== undefined) return memoryStore.listKnown(of, known)
    const standing = within(await memoryStore.listWeightiest(of, STANDING, MOST), budget / 2)
    const { project, agentId } = of
    const owners = of.owners as readonly string[]
    const found = input.trim()
      ? await recall
          .recall({ project, agentId, owners }, { query: input.slice(0, 4_000), limit: 50 })
          .catch((err) => void deps.log.warn({ err, run: run.id }, 'memories could not be searched'))
      : []
    // What stands for good needs no search; the next step tries again.
    if (!found) return standing
    const ids = new Set(standing.map(({ id }) => id))
    const fitting = within(
      found.filter(({ id }) => !ids.has(id)),
      budget - sizeOf(standing)
    )
    const rows = [...standing, ...fitting]
    const chosenIds = rows.map(({ id }) => id)
    await choices.set(run.id, chosenIds, KEEP_MS)
    return rows
  }

  return { context }
}

const lineOf = ({ id, type, content, validFrom }: MemoryRow) =>
  `- [${id}] ${type}, since ${validFrom.slice(0, 10)}: ${content}`
const sizeOf = (rows: readonly MemoryRow[]) => rows.reduce((sum, row) => sum + lineOf(row).length + 1, 0)

/** The first ones that fit. */
function within<R extends MemoryRow>(rows: readonly R[], budget: number): R[] {
  let left = budget
  return rows.filter((row) => {
    const size = lineOf(row).length + 1
    if (size > left) return false
    left -= size
    return true
  })
}

/** Of what tools said, and what others than these owners put into a shared scope, no instruction counts. */
function contextOf(rows: readonly MemoryRow[], owners: readonly string[]): Context | undefined {
  if (rows.length === 0) return undefined
  const lines = (isForeign: boolean) =>
    rows
      .filter((row) => (row.untrusted || !owners.includes(row.owner)) === isForeign)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(lineOf)
      .join('\n')
  const [own, foreign] = [lines(false), lines(true)]
  const text = ['What you remember of earlier conversations:', own, foreign && markUntrusted(foreign)]
    .filter(Boolean)
    .join('\n')
  const items = rows.map(({ id, content }) => ({ type: 'memory', id, sha256: hash('sha256', content) }))
  return { text, items }
}
