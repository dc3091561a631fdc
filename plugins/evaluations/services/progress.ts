import type { Kernel, Owned, Principal, Trx } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { AboutExperiment } from '../contract.ts'
import type { ExperimentRow } from '../schemas/experiments.ts'
import type { Failure } from '../schemas/results.ts'
import type { ExperimentStore } from '../stores/experiments.ts'
import type { Outcome, ResultRow, ResultStore } from '../stores/results.ts'
import type { SummaryStore } from '../stores/summaries.ts'

export type Progress = ReturnType<typeof createProgress>

interface Deps extends Pick<Kernel, 'streams' | 'facts'> {
  jobs: Jobs
  experimentStore: ExperimentStore
  resultStore: ResultStore
  summaryStore: SummaryStore
}
export interface Ended {
  readonly row: Pick<ResultRow, 'project' | 'id' | 'itemId'>
  readonly outcome: Outcome
}

export const idField = 'experimentId'
export const START = 'evaluations.start'
export const STOP = 'evaluations.stop'

/**
 * How experiments go on: each change of the record with its event, and with the jobs that do what is next. All of it takes an
 * experiment that the transaction has locked, so that it happens once.
 */
export function createProgress({ streams, facts, jobs, experimentStore, resultStore, summaryStore }: Deps) {
  async function begin(trx: Trx, by: Principal, experiment: ExperimentRow): Promise<void> {
    const { project, id: stream, itemCount } = experiment
    const events = [{ type: 'status', fields: { status: 'running', itemCount } }]
    await streams.publish(trx, [{ project, stream, idField, events }])
    const { owner } = experiment
    await facts.record(trx, 'evaluations.experiment_started', by, {
      ...{ subject: stream, owner, data: told(experiment) }
    })
    await admit(trx, experiment)
  }

  /** As many items as may run at a time; ends the experiment where none is left. */
  async function admit(trx: Trx, experiment: ExperimentRow): Promise<void> {
    const open = await resultStore.countOpen(trx, experiment)
    const room = experiment.concurrency - open
    const next = room > 0 ? await resultStore.takeQueued(trx, experiment, room) : []
    for (const id of next) await jobs.send(START, { id }, { trx })
    if (open + next.length === 0) await end(trx, experiment, 'completed')
  }

  /** Of results that are locked with their experiment, and open. */
  async function settle(trx: Trx, experiment: ExperimentRow, ended: readonly Ended[]): Promise<void> {
    if (ended.length === 0) return
    const { project, id: stream } = experiment
    for (const { row, outcome } of ended) await resultStore.settle(trx, row, outcome)
    const count = await experimentStore.updateEnded(trx, experiment, ended.length)
    const events = ended.map(({ row, outcome }, index) => {
      const { status, score = null, passed = null } = outcome
      const endedCount = count - ended.length + index + 1
      const fields = { resultId: row.id, itemId: row.itemId, status, score, passed, endedCount }
      return { type: 'result', fields }
    })
    await streams.publish(trx, [{ project, stream, idField, events }])
    await admit(trx, experiment)
  }

  /** For good. What is under way is stopped soon after the commit. */
  async function end(
    trx: Trx,
    experiment: ExperimentRow,
    status: 'completed' | 'failed' | 'cancelled',
    error: Failure | null = null,
    by: Principal = ownerOf(experiment)
  ): Promise<ExperimentRow> {
    const { project, owner, id } = experiment
    for (const runId of await resultStore.settleOpen(trx, experiment))
      await jobs.send(STOP, { project, owner, runId }, { trx })
    const names = experiment.scorers.map(({ name, type }) => name ?? type)
    const summary = await summaryStore.find(experiment, names, trx)
    const row = await experimentStore.settle(trx, experiment, { status, summary, error })
    const events = [{ type: status, fields: { summary, ...(error && { error }) } }]
    await streams.publish(trx, [{ project, stream: id, idField, events, ended: true }])
    const details = { subject: id, owner, data: told(experiment) }
    if (status === 'failed') {
      const data = { ...details.data, code: error?.code ?? 'internal' }
      await facts.record(trx, 'evaluations.experiment_failed', by, { ...details, data })
    } else if (status === 'completed')
      await facts.record(trx, 'evaluations.experiment_completed', by, details)
    else await facts.record(trx, 'evaluations.experiment_cancelled', by, details)
    return row
  }

  return { begin, settle, end }
}

const told = ({ id, datasetId, agentId, agentVersion, itemCount }: ExperimentRow): AboutExperiment => {
  return { id, datasetId, agentId, agentVersion, itemCount }
}

/** Whom facts name, and who stops what was begun, also while the owner is disabled: it may nothing else. */
export const ownerOf = ({ project, owner }: Owned): Principal => ({
  id: owner,
  type: 'user',
  project,
  owner,
  scopes: new Set(),
  narrowed: false,
  credential: ''
})
