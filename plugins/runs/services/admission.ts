import type { Kernel, Owned, Principal } from 'agent-platform'
import { conflict, invalid, notFound, unavailable } from 'agent-platform'
import type { Agents, Profile } from '../../agents/contract.ts'
import type { Models } from '../../models/contract.ts'
import type { Session, Sessions } from '../../sessions/contract.ts'
import type { RunRequest } from '../schemas/runs.ts'
import type { RunSettings } from '../settings.ts'
import type { StoredRun } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'
import type { Started, StartStore } from '../stores/starts.ts'
import type { Cancellations } from './cancellations.ts'
import type { Driver } from './driver.ts'
import { infoOf } from './info.ts'
import type { Live, LiveRuns } from './live-runs.ts'
import { newRun, startOf } from './new-runs.ts'
import type { Queue } from './queue.ts'
import type { Repetition, Repetitions } from './repetitions.ts'
import type { RequestParts } from './request-parts.ts'
import { refuseTwins } from './request-parts.ts'

export type Admission = ReturnType<typeof createAdmission>

/** What came of a request to run an agent. */
export interface Admitted {
  readonly run: Pick<StoredRun, 'project' | 'id'>
  /** In memory, while this process goes on with it. */
  readonly live: Live | undefined
  /** The same request had come before. */
  readonly repeated: boolean
}

const TRIES = 8

interface Deps extends Pick<Kernel, 'streams' | 'instances' | 'points' | 'limits'> {
  settings: RunSettings
  agents: Agents
  models: Models
  sessions: Sessions
  runStore: RunStore
  startStore: StartStore
  liveRuns: LiveRuns
  driver: Driver
  queue: Queue
  cancellations: Cancellations
  requestParts: RequestParts
  repetitions: Repetitions
}

/** Accepts runs. */
export function createAdmission(deps: Deps) {
  const { streams, instances, points, limits, settings, agents, models, sessions } = deps
  const { runStore, startStore, liveRuns, driver, queue, cancellations, requestParts, repetitions } = deps

  /** Begins a run, or finds the one that the same request began before. */
  async function admit(
    by: Principal,
    request: RunRequest,
    key: string | undefined,
    depth = 0
  ): Promise<Admitted> {
    refuseTwins(request)
    const repetition = key === undefined ? undefined : repetitions.of(by, request, key)
    const before = repetition && (await repeated(by, repetition))
    if (before) {
      await limits.agent(by, request.agentId)
      return before
    }
    const profile = await agents.profile(by, request.agentId, 'run', '/agentId')
    const session = await sessionOf(by, request)
    await models.resolve(by.project, profile.agent)
    const run = newRun(by, ownInstance(), request, profile, session, depth)
    const info = infoOf(run, by)
    await requestParts.accept(info, request)
    for (const { value } of points.all('runs.gate')) await value.admit?.(info)
    for (let tries = 0; tries < TRIES; tries++) {
      const begun = await begin(by, request, run, profile, session, repetition)
      if (begun) return begun
      const other = repetition && (await repeated(by, repetition))
      if (other) return other
      await whyNot(by, request)
    }
    throw unavailable('The session is too busy')
  }

  async function sessionOf(by: Principal, { sessionId, agentId }: RunRequest) {
    if (sessionId === undefined) return undefined
    const session = await sessions.owned(by, sessionId, 'change', '/sessionId')
    if (session.agentId !== agentId)
      throw invalid('/sessionId', 'The session belongs to another agent', 'session_of_another_agent')
    return session
  }

  async function begin(
    by: Principal,
    request: RunRequest,
    run: StoredRun,
    profile: Profile,
    session: (Session & Owned) | undefined,
    repetition: Repetition | undefined
  ): Promise<Admitted | undefined> {
    const { project, id, sessionId } = run
    const writer = streams.open(project, id, 'runId')
    const fresh = session === undefined
    const live: Live = {
      run,
      by,
      writer,
      profile,
      started: false,
      begun: performance.now(),
      stop: new AbortController(),
      history: fresh ? { messages: request.messages, left: 0 } : undefined,
      steps: [],
      usage: [],
      shown: undefined,
      announced: false,
      next: undefined,
      content: '',
      model: undefined,
      over: Promise.withResolvers()
    }
    // Known before it is in the record, where it would look left behind.
    liveRuns.add(live)
    const chunk = await writer.chunk({ events: [{ type: 'run_started', fields: { sessionId } }] })
    let started: Started | undefined
    try {
      started = await startStore.insert(
        startOf(by, settings.maxQueued, request, run, session, repetition, chunk)
      )
    } finally {
      if (started) chunk.settled()
      else {
        chunk.refused()
        liveRuns.drop(live)
      }
    }
    if (!started) return undefined
    run.place = started.place
    if (started.status === 'queued') await enqueue(live, request)
    else {
      live.started = true
      live.next = started.place + request.messages.length
      if (started.stamp !== profile.stamp) live.profile = (await agents.afresh(run.agentId)) ?? profile
      void driver.drive(id)
    }
    return { run, live: started.status === 'queued' ? undefined : live, repeated: false }
  }

  async function enqueue(live: Live, { multitaskStrategy = 'enqueue' }: RunRequest): Promise<void> {
    const { project, id, place, sessionId } = live.run
    live.writer.append('status', { status: 'queued' })
    // Whoever begins it may be faster with what it says.
    await live.writer.release().catch(() => undefined)
    liveRuns.drop(live)
    if (live.run.cancelledFor !== null) void driver.drive(id)
    if (multitaskStrategy === 'interrupt' || multitaskStrategy === 'rollback')
      await cancellations.ofSessionBefore(project, sessionId, place, multitaskStrategy)
    await queue.next(project, sessionId)
  }

  /** Throws when there is a reason why the run was not made; else another try may do. */
  async function whyNot(by: Principal, request: RunRequest): Promise<void> {
    if (!(await agents.afresh(request.agentId))) throw notFound('Agent', { param: '/agentId' })
    const session = await sessionOf(by, request)
    const others = session ? await runStore.countUnfinished(session.project, session.id) : 0
    if (others > 0 && request.multitaskStrategy === 'reject')
      throw conflict('The session has another run', { code: 'session_busy' })
    if (others > settings.maxQueued)
      throw conflict('Too many runs wait in the session', { code: 'session_full' })
  }

  async function repeated({ project }: Principal, repetition: Repetition): Promise<Admitted | undefined> {
    const id = await repetitions.find(project, repetition)
    return id === undefined ? undefined : { run: { project, id }, live: undefined, repeated: true }
  }

  function ownInstance(): number {
    const id = instances.id()
    if (id === undefined) throw unavailable('The platform is not connected to its database')
    return id
  }

  return { admit }
}
