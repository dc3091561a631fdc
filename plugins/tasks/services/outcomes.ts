import type { Fact, Kernel, Trx } from 'agent-platform'
import type { Runs } from '../../runs/contract.ts'
import type { ExecutionState, Workflows } from '../../workflows/contract.ts'
import type { Held, RunRow, RunStore, Work } from '../stores/runs.ts'
import type { Ended, Ending, Progress } from './progress.ts'

export type Outcomes = ReturnType<typeof createOutcomes>

interface Deps extends Pick<Kernel, 'transaction'> {
  runs: Runs
  workflows: Workflows | undefined
  runStore: RunStore
  progress: Progress
}

type About<D> = Pick<Fact<D>, 'project' | 'data'>
type AboutRun = About<{ readonly runId: string; readonly sessionId: string; readonly code?: string }>
type AboutExecution = About<{ readonly executionId: string; readonly code?: string }>

/** What the facts about runs and executions make of runs of tasks, all of a project that are there together in one go. */
export function createOutcomes({ transaction, runs, workflows, runStore, progress }: Deps) {
  /** They have begun, though nobody may have written that down yet. */
  async function begin(
    trx: Trx,
    project: string,
    held: readonly Held[],
    since: (run: RunRow) => Partial<RunRow> = () => ({})
  ): Promise<Held[]> {
    const startedAt = new Date().toISOString()
    const late = held
      .filter(({ run }) => run.status === 'queued')
      .map(({ task, run }) => ({ task, run: { ...run, startedAt, ...since(run) } }))
    const begun = new Map((await progress.start(trx, project, late)).map((it) => [it.run.id, it]))
    return held.map((it) => begun.get(it.run.id) ?? it)
  }

  const resting =
    <D>(work: Work, idOf: (data: D) => string, status: 'waiting' | 'running') =>
    async (facts: readonly About<D>[], trx: Trx): Promise<void> => {
      for (const [project, about] of Map.groupBy(facts, (fact) => fact.project)) {
        const ids = about.map(({ data }) => idOf(data))
        const held = await runStore.takeOpenOf(trx, project, work, ids)
        await progress.setStatus(trx, project, await begin(trx, project, held), status)
      }
    }
  const runsRest = (status: 'waiting' | 'running') =>
    resting<AboutRun['data']>('runId', ({ runId }) => runId, status)
  const executionsRest = (status: 'waiting' | 'running') =>
    resting<AboutExecution['data']>('executionId', ({ executionId }) => executionId, status)

  const runsEnded =
    (status: Ending['status']) =>
    async (facts: readonly AboutRun[], trx: Trx): Promise<void> => {
      for (const [project, about] of Map.groupBy(facts, (fact) => fact.project)) {
        const data = new Map(about.map(({ data }) => [data.runId, data]))
        const held = await runStore.takeOpenOf(trx, project, 'runId', [...data.keys()])
        if (held.length === 0) continue
        const found = await runs.outcomes(
          trx,
          project,
          held.map(({ run }) => run.runId as string)
        )
        const begun = await begin(trx, project, held, ({ runId, sessionId }) => {
          const id = runId as string
          const startedAt = found.get(id)?.createdAt
          return { sessionId: data.get(id)?.sessionId ?? sessionId, ...(startedAt && { startedAt }) }
        })
        const ended = begun.map(({ task, run }): Ended => {
          const outcome = found.get(run.runId as string)
          const code = data.get(run.runId as string)?.code ?? 'internal'
          const error = { code, message: outcome?.error?.message ?? 'The run failed' }
          return { task, run, ending: endingOf(status, { content: outcome?.content ?? null }, error) }
        })
        await progress.settle(trx, project, ended)
      }
    }

  const executionsEnded =
    (status: Ending['status']) =>
    async (facts: readonly AboutExecution[], trx: Trx): Promise<void> => {
      for (const [project, about] of Map.groupBy(facts, (fact) => fact.project)) {
        const codes = new Map(about.map(({ data }) => [data.executionId, data.code]))
        const held = await runStore.takeOpenOf(trx, project, 'executionId', [...codes.keys()])
        if (held.length === 0) continue
        const states = await statesOf(trx, project, held)
        const begun = await begin(trx, project, held)
        const ended = begun.map(({ task, run }): Ended => {
          const id = run.executionId as string
          return { task, run, ending: endingOfExecution(status, states.get(id), codes.get(id)) }
        })
        await progress.settle(trx, project, ended)
      }
    }

  const statesOf = async (trx: Trx, project: string, held: readonly Held[]) => {
    const ids = held.map(({ run }) => run.executionId as string)
    return (await workflows?.states(trx, project, ids)) ?? new Map<string, ExecutionState>()
  }

  /** Executions may have ended, or begun to wait, before it was written down whose they are. */
  async function look(project: string, executionIds: readonly string[]): Promise<void> {
    if (executionIds.length === 0) return
    await transaction(async (trx) => {
      const held = await runStore.takeOpenOf(trx, project, 'executionId', executionIds)
      // Read once they are held: a fact about what comes later waits for this transaction.
      const states = await statesOf(trx, project, held)
      const waiting: Held[] = []
      const ended: Ended[] = []
      for (const { task, run } of held) {
        const state = states.get(run.executionId as string)
        if (state?.status === 'waiting') waiting.push({ task, run })
        else if (state && isEnd(state.status))
          ended.push({ task, run, ending: endingOfExecution(state.status, state) })
      }
      await progress.setStatus(trx, project, waiting, 'waiting')
      await progress.settle(trx, project, ended)
    })
  }

  return { runsRest, runsEnded, executionsRest, executionsEnded, look }
}

const isEnd = (status: ExecutionState['status']): status is Ending['status'] =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

function endingOf(
  status: Ending['status'],
  output: unknown,
  error: { readonly code: string; readonly message: string }
): Ending {
  if (status === 'completed') return { status, output }
  return status === 'failed' ? { status, error } : { status }
}

const endingOfExecution = (
  status: Ending['status'],
  state: ExecutionState | undefined,
  code = 'internal'
): Ending =>
  endingOf(status, state?.output ?? null, state?.error ?? { code, message: 'The execution failed' })
