import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, exhausted, forbidden, newId, notFound } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import type { Beat } from '../schemas.ts'
import { beats } from '../schemas.ts'
import type { AutonomySettings } from '../settings.ts'
import type { BeatRow, BeatStore, Used } from '../stores/beats.ts'
import type { HeartbeatRow, HeartbeatStore } from '../stores/heartbeats.ts'
import { dayStart, isActive } from './active-hours.ts'
import { orderOf } from './prompts.ts'
import type { RunStarts } from './run-starts.ts'

export type BeatService = ReturnType<typeof createBeatService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'principals'> {
  settings: AutonomySettings
  agents: Agents
  jobs: Jobs
  runs: Runs
  heartbeatStore: HeartbeatStore
  beatStore: BeatStore
  runStarts: RunStarts
}
type Reason = NonNullable<Beat['reason']>
/** What the `jobs` pack sends at each due time. */
interface Due {
  readonly project: string
  readonly agentId: string
  readonly dueAt: string
}

/** Before then the request that fired the beat begins its run itself. */
const RESCUE_MS = 15_000
const BATCH = 1_000
/** A failure counts for a day at most, from when its beat was due. */
const LONGEST_REST_MS = 2 * 86_400_000

/** When an agent beats, and when it does not. */
export function createBeatService(deps: Deps) {
  const {
    knex,
    transaction,
    principals,
    settings,
    agents,
    jobs,
    runs,
    heartbeatStore,
    beatStore,
    runStarts
  } = deps

  async function list(
    by: Principal,
    agentId: string,
    { status, trigger, ...page }: Parameters<typeof beats.list>[2] & Partial<Pick<Beat, 'status' | 'trigger'>>
  ) {
    await agents.owned(by, agentId, 'read')
    return beats.list(knex, by, page, { agentId, status, trigger } as Partial<BeatRow>)
  }

  const isBusy = (project: string, agentId: string, heartbeat: HeartbeatRow | undefined) =>
    runs.isBusy(project, agentId, heartbeat?.sessionId ?? heartbeat?.isolatedSessionId ?? undefined)

  /** The beat of a due time is one row, however often it is heard of; its run begins in a job of its own. */
  async function due({ project, agentId, dueAt }: Due): Promise<void> {
    const key = { project, agentId }
    const known = await heartbeatStore.find(key)
    if (!known?.enabled) return
    const owner = await principals.of(project, known.owner)
    const busy = await isBusy(project, agentId, known)
    await transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) return
      const heartbeat = await heartbeatStore.lock(trx, key)
      if (!heartbeat?.enabled) return
      const now = new Date()
      const starting = await beatStore.findStarting(trx, key)
      const used = await beatStore.countSince(key, dayStart(now, heartbeat.timezone), trx)
      const reason = owner ? reasonToSkip(heartbeat, now, used, busy || !!starting) : 'owner_disabled'
      const beat = { ...key, owner: heartbeat.owner, trigger: 'schedule', dueAt } as const
      if (reason || !owner) {
        const endedAt = now.toISOString()
        await beatStore.insert(trx, { id: newId('beat'), ...beat, status: 'skipped', reason, endedAt })
        // One whose job was given up gets another one.
        if (starting) await send(trx, starting)
        return
      }
      const order = orderOf(heartbeat, now)
      const made = await runStarts.insert(trx, owner, { ...beat, status: 'starting', order })
      if (made) await send(trx, made)
    })
  }

  const send = (trx: Trx, { id }: BeatRow, at?: Date) =>
    jobs.send('autonomy.start', { id }, { trx, key: id, ...(at && { at }) })

  /** The run of a beat begins, unless it has. */
  async function start({ id }: { id: string }): Promise<void> {
    const beat = await beatStore.find(id)
    if (!beat) return
    await runStarts.start(beat).catch(async (error) => {
      // Of one that has failed by it, the record says so.
      if ((await beatStore.find(id))?.status === 'starting') throw error
    })
  }

  /** One that people want: off, asleep or after failures, but not beside other work and not beyond the caps. */
  async function fire(by: Principal, agentId: string): Promise<Beat> {
    const { project, owner } = await agents.owned(by, agentId, 'change')
    const actor = await principals.of(project, owner)
    if (!actor) throw forbidden('The owner of the agent is disabled', { code: 'owner_disabled' })
    const key = { project, owner, agentId }
    const busy = await isBusy(project, agentId, await heartbeatStore.find(key))
    const beat = await transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      const heartbeat = await heartbeatStore.take(trx, key)
      const now = new Date()
      refuseCapped(heartbeat, await beatStore.countSince(key, dayStart(now, heartbeat.timezone), trx))
      if (busy || (await beatStore.findStarting(trx, key)))
        throw conflict('The agent has something to do', { code: 'agent_busy' })
      const order = orderOf(heartbeat, now)
      const made = { ...key, trigger: 'manual', status: 'starting', order } as const
      const beat = (await runStarts.insert(trx, actor, made)) as BeatRow
      await send(trx, beat, new Date(now.getTime() + RESCUE_MS))
      return beat
    })
    await runStarts.start(beat)
    return (await beatStore.find(beat.id)) ?? beat
  }

  async function removeOld(): Promise<void> {
    while ((await beatStore.removeOld(settings.beatDays, BATCH)) === BATCH);
  }

  return { list, due, start, fire, removeOld }
}

function reasonToSkip(heartbeat: HeartbeatRow, now: Date, used: Used, isBusy: boolean): Reason | undefined {
  const { activeHours, timezone, backoffUntil } = heartbeat
  if (activeHours && !isActive(activeHours, timezone, now)) return 'outside_active_hours'
  const rest = backoffUntil === null ? 0 : Date.parse(backoffUntil) - now.getTime()
  // One that is longer was counted by a clock that was ahead.
  if (rest > 0 && rest <= LONGEST_REST_MS) return 'backoff'
  return capReached(heartbeat, used) ?? (isBusy ? 'busy' : undefined)
}

function capReached({ dailyBeats, dailyTokens }: HeartbeatRow, { beats, tokens }: Used): Reason | undefined {
  if (dailyBeats !== null && beats >= dailyBeats) return 'daily_beats'
  if (dailyTokens !== null && tokens >= dailyTokens) return 'daily_tokens'
  return undefined
}

function refuseCapped(heartbeat: HeartbeatRow, used: Used): void {
  const code = capReached(heartbeat, used)
  if (code) throw exhausted('The heartbeat has reached its cap of the day', { code })
}
