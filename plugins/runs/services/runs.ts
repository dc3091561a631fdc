import type { Kernel, Principal, Verb } from 'agent-platform'
import { conflict, notFound, owned } from 'agent-platform'
import type { Runs } from '../contract.ts'
import type { Run } from '../schemas/runs.ts'
import type { StoredRun } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'
import type { StepStore } from '../stores/steps.ts'
import type { Cancellations } from './cancellations.ts'
import { failureOf } from './failures.ts'
import type { Live } from './live-runs.ts'
import { sumOf } from './usage.ts'

export type RunService = ReturnType<typeof createRunService>

interface Deps extends Pick<Kernel, 'limits' | 'streams'> {
  runStore: RunStore
  stepStore: StepStore
  cancellations: Cancellations
}

/** Events after which a run does not go on by itself. */
const RESTS = /"type":"(?:final|error|cancelled)"|"status":"waiting"/

/** How long the caller of a cancellation waits for the end. */
const CANCEL_MS = 5_000

/** Runs as their owners see them. */
export function createRunService({ limits, streams, runStore, stepStore, cancellations }: Deps) {
  /** The run, if the principal may do that with it; `param` where its id came in a body. */
  async function find(by: Principal, id: string, verb: Verb, param?: string): Promise<StoredRun> {
    const run = owned(by, await runStore.find(id), 'Run', verb, { ...(param !== undefined && { param }) })
    await limits.agent(by, run.agentId)
    return run
  }

  /** As it is answered with. */
  async function show(run: StoredRun): Promise<Run> {
    const open = run.status === 'waiting' || run.status === 'running' ? await openOf(run) : []
    return {
      runId: run.id,
      sessionId: run.sessionId,
      agentId: run.agentId,
      status: run.status,
      content: run.content,
      usage: run.usage ?? sumOf((await stepsOf(run)).map(({ usage }) => usage)),
      error: run.error && { message: run.error.message, code: run.error.code },
      pending: open,
      createdAt: run.createdAt,
      endedAt: run.endedAt
    }
  }

  const stepsOf = ({ project, id, step }: StoredRun) => (step > 0 ? stepStore.list(project, id) : [])

  async function openOf({ project, id }: StoredRun): Promise<Run['pending']> {
    const calls = await stepStore.listOpen(project, id)
    return calls.map(({ id: callId, toolName, args, callerDeadline, approvalDeadline }) => ({
      callId,
      toolName,
      args,
      deadline: (callerDeadline ?? approvalDeadline) as string,
      for: callerDeadline === null ? ('approval' as const) : ('result' as const)
    }))
  }

  /** The run when it has ended, or waits for its caller; wherever it goes on until then. */
  async function rest(run: Pick<StoredRun, 'project' | 'id'>, live: Live | undefined, leave: AbortSignal) {
    const ended = await live?.over.promise
    return ended ?? until(run, ({ endedAt, status }) => endedAt !== null || status === 'waiting', leave)
  }

  /** The run once it is so, or as it is when `leave` is aborted; undefined when it is gone. */
  async function until(
    { project, id }: Pick<StoredRun, 'project' | 'id'>,
    is: (run: StoredRun) => boolean,
    leave: AbortSignal
  ): Promise<StoredRun | undefined> {
    for (;;) {
      // Before the look at the record, so that nothing that follows it is missed.
      const state = await streams.state(project, id)
      const run = await runStore.find(id)
      if (!run || !state || is(run) || leave.aborted) return run
      const following = new AbortController()
      const signal = AbortSignal.any([leave, following.signal])
      for await (const body of streams.follow(project, id, state.last, signal))
        if (RESTS.test(body)) following.abort()
    }
  }

  const rested: Runs['rested'] = async (by, id, signal) => {
    const run = await rest(await find(by, id, 'read'), undefined, signal)
    if (!run) throw notFound('Run')
    return show(run)
  }

  const read = async (by: Principal, id: string): Promise<Run> => show(await find(by, id, 'read'))

  /** The run as the caller of `POST /v1/agents/run` gets it; of one that did not succeed, its failure. */
  async function answer(run: Pick<StoredRun, 'project' | 'id'>, live: Live | undefined, leave: AbortSignal) {
    const ended = await rest(run, live, leave)
    if (!ended) throw notFound('Run')
    if (ended.status === 'cancelled') throw conflict('The run was cancelled', { code: 'run_cancelled' })
    if (ended.error) throw failureOf(ended.error)
    return show(ended)
  }

  /** Returns when it has ended. */
  async function cancel(by: Principal, id: string): Promise<Run> {
    const run = await find(by, id, 'change')
    await cancellations.cancel(run.project, [id], 'cancel')
    const leave = AbortSignal.timeout(CANCEL_MS)
    const now = await until(run, ({ endedAt }) => endedAt !== null, leave)
    if (now?.status !== 'cancelled' && now?.endedAt)
      throw conflict(`The run has ${now.status} already`, { code: 'already_ended' })
    return show(now ?? run)
  }

  return { find, read, show, answer, rested, cancel }
}
