import type { Kernel } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { StoredRun } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'
import type { StepStore } from '../stores/steps.ts'
import type { Endings } from './endings.ts'
import { RunFailure, runErrorOf } from './failures.ts'
import { principalOf } from './info.ts'
import type { Live, LiveRuns, Shown } from './live-runs.ts'
import type { Piece } from './retelling.ts'
import { encode } from './retelling.ts'

export type Custody = ReturnType<typeof createCustody>

const ID_FIELD = 'runId'
const CLAIMS = 5
/** A run that takes its process with it would otherwise take them all, one after another. */
const MOST_ATTEMPTS = 20

interface Deps extends Pick<Kernel, 'streams' | 'instances'> {
  agents: Agents
  runStore: RunStore
  stepStore: StepStore
  liveRuns: LiveRuns
  endings: Endings
}

/** Which process goes on with a run: the record says so, and its stream is the fence. */
export function createCustody({ streams, instances, agents, runStore, stepStore, liveRuns, endings }: Deps) {
  /** This process goes on with the run; undefined when there is nothing to go on with, or another is at it. */
  async function claim(id: string): Promise<Live | undefined> {
    const run = await runStore.find(id)
    if (!run || run.endedAt !== null) return undefined
    if (run.cancelledFor !== null && run.status !== 'running') return endUnowned(run)
    if (run.status === 'waiting' && (await stepStore.findWaiting(run.project, id))) return undefined
    if (!(await isLoose(run)) || !(await take(run))) return undefined
    const resumed = run.status === 'running'
    const attempt = run.attempt + (resumed ? 1 : 0)
    const fields = resumed ? { status: 'resumed', attempt } : { status: 'running' }
    for (let tries = 0; tries < CLAIMS; tries++) {
      const writer = await streams.claim(run.project, id, ID_FIELD, { type: 'status', fields })
      if (writer) return load(id, writer)
      if ((await streams.state(run.project, id))?.ended !== false) return undefined
    }
    return undefined
  }

  async function isLoose({ status, instance }: StoredRun): Promise<boolean> {
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

  /** After the claim, when nobody else can add to the record. */
  async function load(id: string, writer: Live['writer']): Promise<Live | undefined> {
    const run = await runStore.find(id)
    if (!run) return undefined
    const by = principalOf(run)
    const steps = await stepStore.list(run.project, id)
    const { announced, shown, content } = await seenOf(run, writer.durable)
    const profile = await agents.afresh(run.agentId)
    const usage = steps.map((step) => step.usage)
    const ending = { run, by, writer, content, usage, model: undefined, next: undefined }
    if (!profile) {
      await endings.end(ending, { status: 'cancelled' })
      return undefined
    }
    if (run.attempt > MOST_ATTEMPTS) {
      const failure = new RunFailure('internal', 'too_many_attempts', 'The run was interrupted too often')
      await endings.end(ending, { status: 'failed', error: runErrorOf(failure) })
      return undefined
    }
    const live: Live = {
      ...ending,
      steps,
      usage,
      profile,
      announced,
      shown,
      started: true,
      begun: performance.now(),
      stop: new AbortController(),
      history: undefined,
      over: Promise.withResolvers()
    }
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
    const shown: Shown | undefined =
      pieces.length > 0
        ? { text: encode(pieces), from: pieces[0]?.seq as number, to: pieces.at(-1)?.seq as number }
        : undefined
    return { announced, shown, content: said.join('') }
  }

  /** Of a run that is to be cancelled, and that nobody drives. */
  async function endUnowned(run: StoredRun): Promise<undefined> {
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
      usage,
      model: undefined,
      next: undefined
    }
    await endings.end(ending, { status: 'cancelled' })
  }

  return { claim }
}
