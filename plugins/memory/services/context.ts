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
/** A session keeps its memories as long as providers keep a prompt in their caches. */
const KEEP_MS = 3_600_000
/** Share of the budget that is reserved for memories that match a later question. */
const LATER_SHARE = 0.25
/** Maximum number of memories that a later run adds to its prompt: providers do not cache that part. */
const FEW = 3

/**
 * What an agent remembers, in its prompt. The first run of a session chooses them: all memories if they fit into the budget, else
 * permanent ones (instructions, preferences) with up to half of the budget, and the best matches of the question. They are in the
 * system prompt, sorted by ID and identical until one of them changes, so that providers can cache the prompts of the session.
 * Memories that later runs find are next to their last message.
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
    const whole = all.length < MOST && sizeOf(all) <= budget ? all : undefined
    const key = `${sessionId} ${agentId}`
    const before = await choices.get<readonly string[]>(key)
    const standing = before
      ? await known(of, before, whole)
      : (whole ?? (await found(run, of, input, budget)))
    const ids = new Set(standing.map(({ id }) => id))
    if (!before || before.length !== ids.size) await choices.set(key, [...ids], KEEP_MS)
    if (!before) await choices.set(run.id, [], KEEP_MS)
    const later = before ? await chosenLater(run, of, input, budget - sizeOf(standing), ids, whole) : []
    return contextOf(standing, later, owners)
  }

  /** Kept by id: what is deleted, or out of reach since, is not shown in the next step. */
  function known(of: Known, ids: readonly string[], whole: readonly MemoryRow[] | undefined) {
    const wanted = new Set(ids)
    return whole ? whole.filter(({ id }) => wanted.has(id)) : memoryStore.listKnown(of, ids)
  }

  /** Chosen once a run: its steps have the same prompt up to their own. */
  async function chosenLater(
    run: RunInfo,
    of: Known,
    input: string,
    budget: number,
    ids: ReadonlySet<string>,
    whole: readonly MemoryRow[] | undefined
  ): Promise<readonly MemoryRow[]> {
    const before = await choices.get<readonly string[]>(run.id)
    if (before) return before.length > 0 ? known(of, before, whole) : []
    const rest = (whole ?? (await found(run, of, input, budget, ids))).filter(({ id }) => !ids.has(id))
    await choices.set(
      run.id,
      rest.map(({ id }) => id),
      KEEP_MS
    )
    return rest
  }

  /** Permanent memories, and matches of the question. `ids` are in the prompt already. */
  async function found(
    run: RunInfo,
    of: Known,
    input: string,
    budget: number,
    ids?: ReadonlySet<string>
  ): Promise<MemoryRow[]> {
    const isNew = ({ id }: MemoryRow) => !ids?.has(id)
    const weightiest = await memoryStore.listWeightiest(of, STANDING, MOST)
    const standing = within(weightiest.filter(isNew), ids ? budget : budget / 2)
    const { project, agentId } = of
    const owners = of.owners as readonly string[]
    const fitting = input.trim()
      ? await recall
          .recall({ project, agentId, owners }, { query: input.slice(0, 4_000), limit: 50 })
          .catch((err) => void deps.log.warn({ err, run: run.id }, 'memories could not be searched'))
      : []
    // Permanent memories need no search; the next run tries again.
    if (!fitting) return standing
    const taken = new Set(standing.map(({ id }) => id))
    const room = budget * (ids ? 1 : 1 - LATER_SHARE) - sizeOf(standing)
    const best = ids
      ? fitting
          .slice(0, FEW * 2)
          .filter(isNew)
          .slice(0, FEW)
      : fitting
    return [
      ...standing,
      ...within(
        best.filter(({ id }) => !taken.has(id)),
        room
      )
    ]
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

function contextOf(
  rows: readonly MemoryRow[],
  later: readonly MemoryRow[],
  owners: readonly string[]
): Context | undefined {
  if (rows.length + later.length === 0) return undefined
  const items = [...rows, ...later].map(({ id, content }) => ({
    type: 'memory',
    id,
    sha256: hash('sha256', content)
  }))
  const changing = textOf('What you remember besides, which may matter now:', later, owners)
  return {
    text: textOf('What you remember of earlier conversations:', rows, owners),
    ...(changing && { changing }),
    items
  }
}

/** Of what tools said, and what others than these owners put into a shared scope, no instruction counts. */
function textOf(title: string, rows: readonly MemoryRow[], owners: readonly string[]): string {
  if (rows.length === 0) return ''
  const lines = (isForeign: boolean) =>
    rows
      .filter((row) => (row.untrusted || !owners.includes(row.owner)) === isForeign)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(lineOf)
      .join('\n')
  const [own, foreign] = [lines(false), lines(true)]
  return [title, own, foreign && markUntrusted(foreign)].filter(Boolean).join('\n')
}
