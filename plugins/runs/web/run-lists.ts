import { api } from 'agent-platform/console'
import type { Schemas } from 'agent-platform-client'

export type ListedRun = Schemas['ListedRun']
export type RunStatus = ListedRun['status']

export const statuses: readonly RunStatus[] = [
  'running',
  'waiting',
  'queued',
  'completed',
  'failed',
  'cancelled'
]

export interface RunFilter {
  readonly status?: RunStatus
  readonly agentId?: string
  readonly sessionId?: string
  /** Text that was asked, or an ID. */
  readonly query?: string
}

/** Runs as they stand in lists; by `['runs', 'list']` all of these are read anew. */
export const listKey = (filter: RunFilter, limit: number) => ['runs', 'list', filter, limit]

export const readRuns = (filter: RunFilter, limit: number, cursor?: string, signal?: AbortSignal) =>
  api.get('/v1/runs', { params: { query: { ...filter, limit, cursor } }, signal })

/** What a run is called where it has no page of its own. */
export const nameOf = ({ sessionTitle, asked }: Pick<ListedRun, 'sessionTitle' | 'asked'>): string =>
  asked || sessionTitle || 'Untitled'

const names = { approval: 'Approval of', result: 'Result of', elicitation: 'Question of' } as const

/** What a run waits for, in words. */
export const waitsFor = ({ pending }: Pick<ListedRun, 'pending'>): string =>
  pending.map((it) => `${names[it.for]} ${it.toolName}`).join(', ')
