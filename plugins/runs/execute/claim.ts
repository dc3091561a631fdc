import type { Kernel } from 'agent-platform'
import { isExhausted, newId, takeOver } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import { principalOf } from '../run-info.ts'
import type { QuestionStore } from '../stores/questions.ts'
import type { StoredRun } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'
import type { StepStore } from '../stores/steps.ts'
import type { Suspensions } from '../waits/suspensions.ts'
import { RunFailure, runErrorOf } from './failures.ts'
import type { Finished, FinishRun } from './finish-run.ts'
import type { Emitted, Live, LiveRuns } from './live-runs.ts'
import { liveOf } from './live-runs.ts'
import type { Piece } from './replay-filter.ts'
import { encode } from './replay-filter.ts'

export type Claims = ReturnType<typeof createClaims>

const ID_FIELD = 'runId'

interface Deps extends Pick<Kernel, 'transaction' | 'streams' | 'instances'> {
  agents: Agents
  runStore: RunStore
  stepStore: StepStore
  questionStore: QuestionStore
  liveRuns: LiveRuns
  finishRun: FinishRun
  suspensions: Suspensions
}

/** Which process executes a run: the record says so, and its stream is the fence. */
export function createClaims(deps: Deps) {
  const { streams, instances, agents, runStore, stepStore, questionStore, liveRuns, finishRun } = deps
  const { transaction, suspensions } = deps

  /**
   * This process executes the run from now on, or has ended it; undefined when there is nothing to do, or another
   * process is at it.
   */
  async function claim(id: string): Promise<Live | Finished | undefined> {
    const run = await runStore.find(id)
    if (!run || run.endedAt !== null) return undefined
    if (run.cancelledFor !== null && run.status !== 'running') return endUnowned(run)
    if (run.status === 'waiting' && (await stepStore.findWaiting(run.project, id))) return undefined
    if (!(await isOrphaned(run)) || !(await take(run))) return undefined
    const resumed = run.status === 'running'
    const attempt = run.attempt + (resumed ? 1 : 0)
    const fields = resumed ? { status: 'resumed', attempt } : { status: 'running' }
    const writer = await takeOver(streams, run, ID_FIELD, { type: 'status', fields })
    if (!writer) return undefined
    if (resumed) await settleLost(run)
    return load(id, writer)
  }

  /** What calls had asked that went with their process is not waited for any more. */
  const settleLost = (run: StoredRun) =>
    transaction(async (trx) => {
      const locked = await runStore.takeLocked(trx, run)
      await questionStore.settleLost(trx, run.project, run.id)
      if (locked) await suspensions.resume(trx, locked)
    })

  async function isOrphaned({ status, instance }: StoredRun): Promise<boolean> {
    if (status !== 'running' || instance === null || instance === instances.id()) return true
    return (await instances.dead()).includes(instance)
  }

  async function take(run: StoredRun): Promise<boolean> {
    const instance = instances.id()
    if (instance === undefined) return false
    const { project, id: runId, sessionId, owner } = run
    const messages = run.status === 'queued' ? (run.messages ?? []) : []
    const appended = messages.map((message, offset) => ({
      ...message,
      id: newId('message'),
      project,
      owner,
      sessionId,
      runId,
      offset
    }))
    const extended = messages.length > 0 ? { project, id: sessionId, count: messages.length } : undefined
    return runStore.take({ run, instance, extends: extended, appended })
  }

  /** After the claim, when no other process can add to the record. */
  async function load(id: string, writer: Live['writer']): Promise<Live | Finished | undefined> {
    const run = await runStore.find(id)
    if (!run) return undefined
    const by = principalOf(run)
    const steps = await stepStore.list(run.project, id)
    const { announced, emitted, content } = await seenOf(run, writer.durable)
    const profile = await agents.afresh(run.agentId)
    const usage = steps.map((step) => step.usage)
    const ending = { run, by, writer, content, steps, usage, model: undefined, next: undefined }
    if (!profile) return finishRun(ending, { status: 'cancelled' })
    if (isExhausted(run)) {
      const failure = new RunFailure('internal', 'too_many_attempts', 'The run was interrupted too often')
      return finishRun(ending, { status: 'failed', error: runErrorOf(failure) })
    }
    const live = liveOf(
      { run, by, writer, profile },
      { content, steps, usage, announced, emitted, started: true }
    )
    liveRuns.add(live)
    return live
  }

  /** What readers saw of the step that was cut. */
  async function seenOf({ project, id, seq }: StoredRun, last: number) {
    const leave = new AbortController()
    let announced = false
    let pieces: (Piece & { seq: number })[] = []
    for await (const body of streams.follow(project, id, seq, leave.signal)) {
      for (const line of body.split('\n')) {
        const event = JSON.parse(line)
        if (event.type === 'agent_step') announced = true
        if (event.type === 'agent_step' || event.status === 'restarted') pieces = []
        if (event.type === 'token') pieces.push({ phase: event.phase, text: event.content, seq: event.seq })
        if (event.seq >= last) leave.abort()
      }
    }
    const said = pieces.filter(({ phase }) => phase === 'final_answer').map(({ text }) => text)
    const emitted: Emitted | undefined =
      pieces.length > 0
        ? { text: encode(pieces), from: pieces[0]?.seq as number, to: pieces.at(-1)?.seq as number }
        : undefined
    return { announced, emitted, content: said.join('') }
  }

  /** Of a run that is to be cancelled, and that no process executes. */
  async function endUnowned(run: StoredRun): Promise<Finished | undefined> {
    const { project, id } = run
    const state = await streams.state(project, id)
    if (!state || state.ended) return undefined
    const writer = streams.open(project, id, ID_FIELD, state.last)
    const steps = await stepStore.list(project, id)
    const usage = steps.map((step) => step.usage)
    const ending = {
      run,
      by: principalOf(run),
      writer,
      content: '',
      steps,
      usage,
      model: undefined,
      next: undefined
    }
    return finishRun(ending, { status: 'cancelled' })
  }

  return { claim }
}
