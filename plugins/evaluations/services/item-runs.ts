import type { Fact, Kernel, Trx } from 'agent-platform'
import { isDatabaseAway } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Credits } from '../../credits/contract.ts'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import type { ExperimentRow } from '../schemas/experiments.ts'
import { experiments } from '../schemas/experiments.ts'
import type { Failure } from '../schemas/results.ts'
import type { ExperimentStore } from '../stores/experiments.ts'
import type { ResultRow, ResultStore } from '../stores/results.ts'
import type { Ended, Progress } from './progress.ts'
import { ownerOf, STOP } from './progress.ts'
import { SCORE } from './scoring.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'principals' | 'log'> {
  agents: Agents
  credits: Credits | undefined
  jobs: Jobs
  runs: Runs
  experimentStore: ExperimentStore
  resultStore: ResultStore
  progress: Progress
}
/** As facts tell how runs end. */
interface EndedRun {
  readonly runId: string
  readonly sessionId: string
  readonly modelProvider: string | null
  readonly modelId: string | null
  readonly usage: NonNullable<ResultRow['usage']>
  readonly steps: readonly (EndedRun['usage'] & {
    readonly modelProvider?: string
    readonly modelId?: string
  })[]
  readonly code?: string
}
type Stopped = Pick<ResultRow, 'project' | 'owner'> & { readonly runId: string }

/** What does not begin within that has failed. */
const PATIENCE_MS = 300_000
/** What may be otherwise a moment later. */
const passing = new Set<unknown>([undefined, 'internal', 'unavailable', 'rateLimited'])

/** The runs of items: each begins once, by an id that was recorded before, and what came of it is written down once. */
export function createItemRuns(deps: Deps) {
  const { knex, transaction, principals, log, agents, credits, jobs, runs } = deps
  const { experimentStore, resultStore, progress } = deps

  async function start({ id }: { readonly id: string }): Promise<void> {
    const row = await resultStore.find(id)
    if (row?.status !== 'running' || row.runId === null) return
    const experiment = await experiments.find(knex, row.experimentId)
    if (experiment?.status !== 'running') return
    const by = await principals.of(row.project, row.owner)
    if (!by)
      return fail(experiment, { code: 'owner_disabled', message: 'The owner of the agent is disabled' })
    const { agentId, agentVersion, model, instructions } = experiment
    const agent = await agents.owned(by, agentId, 'run').catch((error) => {
      if (error.kind !== 'notFound' && error.kind !== 'forbidden') throw error
    })
    if (!agent) return fail(experiment, { code: 'agent_gone', message: 'The agent is gone' })
    if (agent.version !== agentVersion)
      return fail(experiment, { code: 'agent_changed', message: 'The agent was edited meanwhile' })
    const order = {
      ...{ id: row.runId, agentId, messages: [{ role: 'user' as const, content: row.input }] },
      ...(model && { model }),
      ...(instructions !== null && { cliContext: instructions })
    }
    try {
      const { sessionId } = await runs.start(by, order)
      const status = await resultStore.updateSession(row, sessionId)
      // Its experiment was ended in between, and found nothing to stop.
      if (status === 'cancelled' || status === undefined) await stop({ ...row, runId: row.runId })
    } catch (error) {
      const { kind, code, message } = error as { kind?: string; code?: string; message: string }
      const isOld = Date.now() - Date.parse(row.startedAt as string) > PATIENCE_MS
      if (isDatabaseAway(error) || (passing.has(kind) && !isOld)) throw error
      log.info({ result: id, code }, 'an item of an experiment could not be run')
      await refuse(row, { code: code ?? kind ?? 'internal', message })
    }
  }

  async function stop({ project, owner, runId }: Stopped): Promise<void> {
    await runs.cancel(ownerOf({ project, owner }), runId).catch((error) => {
      // It has ended, never began, or went with its session.
      if (!['conflict', 'notFound', 'forbidden'].includes(error.kind)) throw error
    })
  }

  /** An item has no answer. */
  const refuse = (row: ResultRow, error: Failure): Promise<void> =>
    transaction(async (trx) => {
      const [experiment] = await lock(trx, [row])
      const open = experiment && (await resultStore.findOpen(trx, row))
      if (experiment && open?.status === 'running')
        await progress.settle(trx, experiment, [{ row, outcome: { status: 'failed', error } }])
    })

  const fail = ({ project, id }: ExperimentRow, error: Failure): Promise<void> =>
    transaction(async (trx) => {
      const [experiment] = await experimentStore.lockAll(trx, [{ project, id }])
      if (experiment?.status === 'running') await progress.end(trx, experiment, 'failed', error)
    })

  /** Their experiments that are under way. */
  async function lock(trx: Trx, rows: readonly Pick<ResultRow, 'project' | 'experimentId'>[]) {
    const keys = rows.map(({ project, experimentId: id }) => ({ project, id }))
    return (await experimentStore.lockAll(trx, keys)).filter(({ status }) => status === 'running')
  }

  /** Results of these runs that are open, by their experiments, all of which are locked. */
  async function openOf(
    trx: Trx,
    told: readonly Pick<Fact<{ readonly runId: string }>, 'project' | 'data'>[]
  ): Promise<readonly (readonly [ExperimentRow, readonly ResultRow[]])[]> {
    const keys = told.map(({ project, data }) => [project, data.runId] as const)
    const seen = await resultStore.listOfRuns(trx, keys)
    if (seen.length === 0) return []
    const held = await lock(trx, seen)
    const rows = Map.groupBy(await resultStore.listOfRuns(trx, keys), ({ experimentId }) => experimentId)
    return held.map((experiment) => [experiment, rows.get(experiment.id) ?? []])
  }

  const ended =
    (status: 'completed' | 'failed' | 'cancelled') =>
    async (told: readonly Fact<EndedRun>[], trx: Trx): Promise<void> => {
      const facts = new Map(told.map((fact) => [fact.data.runId, fact]))
      for (const [experiment, rows] of await openOf(trx, told)) {
        const { project } = experiment
        const ids = rows.map(({ runId }) => runId as string)
        const outcomes = await runs.outcomes(trx, project, ids)
        const over: Ended[] = []
        for (const row of rows) {
          const { at, data } = facts.get(row.runId as string) as Fact<EndedRun>
          const outcome = outcomes.get(data.runId)
          const { sessionId, usage } = data
          const milliseconds = outcome ? Math.max(0, Date.parse(at) - Date.parse(outcome.createdAt)) : null
          const cost = await costOf(trx, project, data, outcome?.createdAt ?? at)
          const output = outcome?.content ?? null
          const answer = { sessionId, output, usage, cost, milliseconds }
          if (status === 'completed' && output !== null) {
            await resultStore.updateAnswered(trx, row, answer)
            await jobs.send(SCORE, { id: row.id }, { trx })
            continue
          }
          const error = outcome?.error ?? {
            code: status === 'cancelled' ? 'run_cancelled' : (data.code ?? 'no_answer'),
            message: status === 'cancelled' ? 'The run was cancelled' : 'The run gave no answer'
          }
          over.push({ row, outcome: { ...answer, status: 'failed', error } })
        }
        await progress.settle(trx, experiment, over)
      }
    }

  /** Nobody is there to approve or to answer: the item has failed, and its run is stopped. */
  async function suspended(told: readonly Fact<{ readonly runId: string }>[], trx: Trx): Promise<void> {
    const error = {
      code: 'needs_answer',
      message: 'The run waits for an approval or an answer, which nobody gives in an experiment'
    }
    for (const [experiment, rows] of await openOf(trx, told)) {
      for (const { project, owner, runId } of rows) await jobs.send(STOP, { project, owner, runId }, { trx })
      const over = rows.map((row): Ended => ({ row, outcome: { status: 'failed', error } }))
      await progress.settle(trx, experiment, over)
    }
  }

  async function costOf(trx: Trx, project: string, data: EndedRun, at: string): Promise<string | null> {
    const priced = data.steps.map(({ modelProvider, modelId, ...usage }) => ({
      modelProvider: modelProvider ?? data.modelProvider ?? 'unknown',
      modelId: modelId ?? data.modelId ?? 'unknown',
      usage,
      at
    }))
    const costs = ((await credits?.costs(trx, project, priced)) ?? []).filter((cost) => cost !== null)
    if (costs.length === 0) return null
    return (costs.reduce((sum, cost) => sum + Math.round(Number(cost) * 1e6), 0) / 1e6).toFixed(6)
  }

  const starting: Worker = { work: (data) => start(data as { id: string }), concurrency: 8, retries: 20 }
  const stopping: Worker = { work: (data) => stop(data as Stopped), concurrency: 8 }

  return { ended, suspended, starting, stopping }
}
