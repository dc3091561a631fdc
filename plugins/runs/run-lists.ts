import type { Principal } from 'agent-platform'
import type { Agents } from '../agents/contract.ts'
import type { Sessions } from '../sessions/contract.ts'
import type { RunFilter } from './contract.ts'
import { sumOf } from './execute/usage.ts'
import type { RunQuery } from './schemas/lists.ts'
import type { RunListStore } from './stores/run-lists.ts'

export type RunLists = ReturnType<typeof createRunLists>

interface Deps {
  agents: Agents
  sessions: Sessions
  runListStore: RunListStore
}

/** Runs that the principal reaches, the newest first. */
export function createRunLists({ agents, sessions, runListStore }: Deps) {
  return async function list(by: Principal, { limit, cursor, query, ...only }: RunQuery & RunFilter) {
    const { agentId, sessionId } = only
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    // That an index finds its runs takes its agent.
    const session =
      sessionId === undefined ? undefined : await sessions.owned(by, sessionId, 'read', 'sessionId')
    const of = session && agentId === undefined ? { ...only, agentId: session.agentId } : only
    const { data, nextCursor } = await runListStore.list(by, { limit, cursor, query }, of)
    const open = data.filter(({ usage }) => usage === null).map(({ id }) => id)
    const [titles, used] = await Promise.all([
      sessions.titles(
        by.project,
        data.map((run) => run.sessionId)
      ),
      runListStore.listUsage(by.project, open)
    ])
    return {
      data: data.map(({ project: _, error, ...run }) => ({
        ...run,
        sessionTitle: titles.get(run.sessionId) ?? null,
        usage: run.usage ?? sumOf(used.get(run.id) ?? []),
        error: error && { message: error.message, code: error.code },
        pending: (run.pending ?? []).map((it) => ({ ...it, deadline: new Date(it.deadline).toISOString() }))
      })),
      nextCursor
    }
  }
}
