import type { Kernel, Principal, StreamEvent, Verb } from 'agent-platform'
import { conflict, notFound, owned, unlessAborted } from 'agent-platform'
import type { Cancellations } from './cancellations.ts'
import type { Runs } from './contract.ts'
import { failureOf } from './execute/failures.ts'
import type { Live } from './execute/live-runs.ts'
import { sumOf } from './execute/usage.ts'
import type { Run } from './schemas/runs.ts'
import type { RunError, StoredRun } from './stores/row.ts'
import type { RunStore } from './stores/runs.ts'
import type { StepStore } from './stores/steps.ts'
import { createJoinedWaits } from './waits/joined-waits.ts'
import type { PendingCalls } from './waits/pending.ts'

export type RunService = ReturnType<typeof createRunService>

interface Deps extends Pick<Kernel, 'limits' | 'streams'> {
  runStore: RunStore
  stepStore: StepStore
  pendingCalls: PendingCalls
  cancellations: Cancellations
}

/** Whether a run does not go on by itself after that event. */
const isResting = ({ type, status }: StreamEvent) =>
  type === 'final' || type === 'error' || type === 'cancelled' || status === 'waiting'

/** Between two looks at what stands ahead of a queued run. */
const LOOK_MS = 500

/** As its readers see it. */
const shownError = ({ message, code, retryAt }: RunError) => ({ message, code, ...(retryAt && { retryAt }) })

/** How long the caller of a cancellation waits for the end. */
const CANCEL_MS = 5_000

/** Runs as their owners see them. */
export function createRunService(deps: Deps) {
  const { limits, streams, runStore, stepStore, pendingCalls, cancellations } = deps
  const joined = createJoinedWaits<StoredRun | undefined>()

  /** The run, if the principal may do that with it; `param` where its id came in a body. */
  async function find(by: Principal, id: string, verb: Verb, param?: string): Promise<StoredRun> {
    const run = owned(by, await runStore.find(id), 'Run', verb, { ...(param !== undefined && { param }) })
    await limits.agent(by, run.agentId)
    return run
  }

  /** As it is answered with. */
  async function show(run: StoredRun): Promise<Run> {
    const pending = await pendingCalls.list(run)
    return {
      id: run.id,
      owner: run.owner,
      sessionId: run.sessionId,
      agentId: run.agentId,
      status: pendingCalls.statusOf(run, pending),
      content: run.content,
      finishReason: run.finishReason,
      fallbacks: [...(run.fallbacks ?? [])],
      citations: run.citations ?? [],
      usage: run.usage ?? sumOf((await stepsOf(run)).map(({ usage }) => usage)),
      error: run.error && shownError(run.error),
      pending,
      createdAt: run.createdAt,
      endedAt: run.endedAt
    }
  }

  const stepsOf = ({ project, id, step }: StoredRun) => (step > 0 ? stepStore.list(project, id) : [])

  /**
   * The run when it has ended, or waits for something from outside; wherever it goes on until then. Each caller looks for
   * itself, and begins with what it found: the others may have begun to wait before what this one did last.
   */
  async function whenSettled(found: StoredRun | undefined, leave: AbortSignal) {
    let run = found
    while (run && !leave.aborted && !(await pendingCalls.isSettled(run))) {
      const { project, id } = run
      const moved = await joined(id, (left) => until({ project, id }, pendingCalls.isSettled, left), leave)
      if (!moved && !leave.aborted) return undefined
      run = await runStore.find(id)
    }
    return run
  }

  /** The run once it is so, or as it is when `leave` is aborted; undefined when it is gone. */
  async function until(
    { project, id }: Pick<StoredRun, 'project' | 'id'>,
    is: (run: StoredRun) => boolean | Promise<boolean>,
    leave: AbortSignal
  ): Promise<StoredRun | undefined> {
    for (;;) {
      // Before the look at the record, so that nothing that follows it is missed.
      const state = await streams.state(project, id)
      const run = await runStore.find(id)
      if (!run || !state) return undefined
      if (leave.aborted || (await is(run))) return run
      // The end of the run ahead of it is an event of that run's stream, not of this one's.
      const look = run.status === 'queued' ? [AbortSignal.timeout(LOOK_MS)] : []
      const signal = look.length > 0 ? AbortSignal.any([leave, ...look]) : leave
      await streams.until(project, id, state.last, isResting, signal)
    }
  }

  async function settledRun(found: StoredRun, signal: AbortSignal): Promise<StoredRun> {
    const run = await whenSettled(found, signal)
    if (!run) throw notFound('Run')
    return run
  }

  /** Of a run that the caller may read. */
  const settled = async (run: StoredRun, signal: AbortSignal): Promise<Run> =>
    show(await settledRun(run, signal))

  const settledForPacks: Runs['settled'] = async (by, id, signal) => {
    const run = await settledRun(await find(by, id, 'read'), signal)
    return { ...(await show(run)), hasCalled: run.step > 0, failure: run.error && failureOf(run.error) }
  }

  const read = async (by: Principal, id: string): Promise<Run> => show(await find(by, id, 'read'))

  /** The run once it has ended or waits, or as it is when `leave` is aborted. */
  async function over(run: Pick<StoredRun, 'id'>, live: Live | undefined, leave: AbortSignal) {
    const ended = live && (await unlessAborted(leave, live.over.promise).catch(() => undefined))
    const found = ended ?? (await whenSettled(await runStore.find(run.id), leave))
    if (!found) throw notFound('Run')
    const hasCalled = (ended && live ? live.steps.length : found.step) > 0
    return { ...(await show(found)), hasCalled, failure: found.error && failureOf(found.error) }
  }

  /** The run as the caller of `POST /v1/agents/run` gets it; of one that did not succeed, its failure. */
  async function answer(run: Pick<StoredRun, 'project' | 'id'>, live: Live | undefined, leave: AbortSignal) {
    const ended = (await live?.over.promise) ?? (await whenSettled(await runStore.find(run.id), leave))
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

  return { find, read, show, answer, over, settled, settledForPacks, cancel }
}
