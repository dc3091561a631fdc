import type { EventInput, Kernel, Owned, Principal } from 'agent-platform'
import { invalid, isStreamLost, notFound, traced, unavailable } from 'agent-platform'
import type { Agents, Profile } from '../../agents/contract.ts'
import type { Model } from '../../models/contract.ts'
import type { Session, Sessions } from '../../sessions/contract.ts'
import type { Cancellations } from '../cancellations.ts'
import type { Answering } from '../execute/answering.ts'
import type { ContextLimits } from '../execute/context-limits.ts'
import type { Live, LiveRuns } from '../execute/live-runs.ts'
import { liveOf } from '../execute/live-runs.ts'
import type { Queues } from '../execute/queues.ts'
import { samplingOf } from '../execute/sampling.ts'
import { infoOf } from '../run-info.ts'
import type { RunSettings } from '../settings.ts'
import type { StoredRun } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'
import type { Reserved } from '../stores/start-reservations.ts'
import type { Start, Started, StartStore } from '../stores/starts.ts'
import type { Asked } from './asked.ts'
import type { Descents } from './descents.ts'
import type { Gates } from './gates.ts'
import type { Origin } from './new-runs.ts'
import { newRun, startOf } from './new-runs.ts'
import type { Repetition, Repetitions } from './repetitions.ts'
import type { RequestParts } from './request-parts.ts'
import { checkAnswerSchema, checkCliTools, refuseLarge, refuseOrder, refuseQueued } from './request-parts.ts'
import { checkRunOptions } from './run-options.ts'
import type { StartedRun } from './started-run.ts'

export type StartRun = ReturnType<typeof createStartRun>

const TRIES = 8
/** The first run of a session never waits for another, so that it says so as it begins. */
const running = { type: 'status', fields: { status: 'running' } } as const

interface Deps extends Pick<Kernel, 'streams' | 'executions' | 'instances' | 'points' | 'limits'> {
  settings: RunSettings
  agents: Agents
  answering: Answering
  contextLimits: ContextLimits
  sessions: Sessions
  runStore: RunStore
  startStore: StartStore
  liveRuns: LiveRuns
  queues: Queues
  cancellations: Cancellations
  requestParts: RequestParts
  repetitions: Repetitions
  descents: Descents
  gates: Gates
}

/** Starts runs. */
export function createStartRun(deps: Deps) {
  const { streams, executions, instances, points, limits, settings, agents, answering, sessions } = deps
  const { runStore, startStore, liveRuns, queues, cancellations } = deps
  const { requestParts, repetitions, descents, gates, contextLimits } = deps

  /** Begins a run, or finds the one that the same request began before. */
  async function startRun(
    by: Principal,
    request: Asked,
    key: string | undefined,
    origin?: Origin,
    traceparent?: string
  ): Promise<StartedRun> {
    refuseOrder(by, request)
    const repetition = key === undefined ? undefined : repetitions.of(by, request, key, origin !== undefined)
    const before = repetition && (await repeated(by, repetition))
    if (before) {
      await limits.agent(by, request.agentId)
      return before
    }
    const profile = await agents.profile(by, request.agentId, 'run', '/agentId')
    const session = await sessionOf(by, request)
    await checkCliTools(by, request)
    await checkAnswerSchema(by, request)
    await checkRunOptions(by, request, profile.agent)
    // Where no pack had it started, who is it that asks?
    const { trusted = false } = origin ?? { trusted: true }
    const known = { traceparent, ...origin, trusted: trusted && by.type === 'user' }
    const run = newRun(by, ownInstance(), request, profile, session, known)
    const info = infoOf(run, by)
    const model = await answering(info, { step: 1, attempt: 1 }, request.model, profile.agent)
    const { maxTokens } = samplingOf(profile.agent, request.options)
    const budget = contextLimits.budget(run, model, maxTokens)
    refuseLarge(request, budget)
    const asked = await requestParts.accept(info, request, model, budget)
    const reserved = await gates.admit(info, asked, model, profile)
    for (let tries = 0; tries < TRIES; tries++) {
      const begun = await descents.begin(run, () =>
        begin(by, asked, run, profile, model, session, repetition, reserved, tries === 0)
      )
      if (begun) return begun
      const other = repetition ? await repeated(by, repetition) : await begunElsewhere(origin)
      if (other) return other
      await whyNot(by, request)
      await gates.explain(info, reserved)
    }
    throw unavailable('The session is too busy')
  }

  async function sessionOf(by: Principal, { sessionId, agentId }: Asked) {
    if (sessionId === undefined) return undefined
    const session = await sessions.owned(by, sessionId, 'change', '/sessionId')
    if (session.agentId !== agentId)
      throw invalid('/sessionId', 'The session belongs to another agent', 'session_of_another_agent')
    return session
  }

  async function begin(
    by: Principal,
    request: Asked,
    run: StoredRun,
    profile: Profile,
    model: Model,
    session: (Session & Owned) | undefined,
    repetition: Repetition | undefined,
    reserved: readonly Reserved[],
    mayAskAhead: boolean
  ): Promise<StartedRun | undefined> {
    const { project, id, sessionId } = run
    const writer = streams.open(project, id, 'runId')
    const first = session === undefined
    const history = first ? { messages: request.messages, left: 0 } : undefined
    const live = liveOf({ run, by, writer, profile }, { resolved: model, history })
    // Known before it is in the record, where it would look left behind.
    liveRuns.add(live)
    const events = [{ type: 'run_started', fields: { sessionId } }, ...(first ? [running] : [])]
    const order = startOf(by, settings.maxQueued, request, run, session, repetition, reserved)
    const inserting = insert(live, events, order)
    // No other run can be before it, it repeats none, and no gate is to be asked: its model answers while the database does.
    const isAlone = first && mayAskAhead && repetition === undefined
    const ahead = isAlone && !points.all('runs.gate').some(({ value }) => value.step)
    if (ahead) {
      live.accepted = inserting.then((started) => started?.stamp === profile.stamp)
      live.accepted.catch(() => undefined)
      goOn(live, request.messages.length)
    }
    const started = await inserting
    if (!started) return undefined
    run.position = started.position
    if (started.status === 'queued') await enqueue(live, request)
    else if (!ahead) {
      if (!first) writer.append(running.type, running.fields)
      if (started.stamp !== profile.stamp) {
        live.profile = (await agents.afresh(run.agentId)) ?? profile
        live.resolved = undefined
      }
      goOn(live, started.position + request.messages.length)
    }
    return { run, live: started.status === 'queued' ? undefined : live, repeated: false }
  }

  /** Undefined when the record refuses it; then, as when the database fails, it does not go on here. */
  async function insert(
    live: Live,
    events: readonly EventInput[],
    order: Omit<Start, 'chunk'>
  ): Promise<Started | undefined> {
    try {
      return await live.writer.commit(events, (chunk) => startStore.insert({ ...order, chunk }), {
        once: true
      })
    } catch (error) {
      live.stop.abort()
      liveRuns.drop(live)
      if (isStreamLost(error)) return undefined
      throw error
    }
  }

  function goOn(live: Live, next: number): void {
    live.started = true
    live.next = next
    // What it does is done on its own behalf.
    void traced(undefined, () => executions.execute('run', live.run.id))
  }

  async function enqueue(live: Live, { multitaskStrategy = 'enqueue' }: Asked): Promise<void> {
    const { project, id, position, sessionId } = live.run
    live.writer.append('status', { status: 'queued' })
    // The instance that begins it may write first.
    await live.writer.release().catch(() => undefined)
    liveRuns.drop(live)
    if (live.run.cancelledFor !== null) void executions.execute('run', id)
    if (multitaskStrategy === 'interrupt' || multitaskStrategy === 'rollback')
      await cancellations.ofSessionBefore(project, sessionId, position, multitaskStrategy)
    await queues.beginNext(project, sessionId)
  }

  /** Throws when there is a reason why the run was not made; else another try may do. */
  async function whyNot(by: Principal, request: Asked): Promise<void> {
    if (!(await agents.afresh(request.agentId))) throw notFound('Agent', { param: '/agentId' })
    const session = await sessionOf(by, request)
    const others = session ? await runStore.countUnfinished(session.project, session.id) : 0
    refuseQueued(others, request, settings)
  }

  async function repeated({ project }: Principal, repetition: Repetition): Promise<StartedRun | undefined> {
    const id = await repetitions.find(project, repetition)
    return id === undefined ? undefined : { run: { project, id }, live: undefined, repeated: true }
  }

  /** By another instance, which was asked for the same one and was faster. */
  async function begunElsewhere({ id }: Origin = {}): Promise<StartedRun | undefined> {
    const run = id === undefined ? undefined : await startStore.find(id)
    return run && { run, live: undefined, repeated: true }
  }

  function ownInstance(): number {
    const id = instances.id()
    if (id === undefined) throw unavailable('The platform is not connected to its database')
    return id
  }

  return startRun
}
