import { isDeepStrictEqual } from 'node:util'
import type { Fact, Kernel, Owned, Principal, Trx } from 'agent-platform'
import { invalid, notFound, preconditionFailed } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import type { Models } from '../../models/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { Heartbeat, HeartbeatChanges, Settings } from '../schemas.ts'
import { defaults, writable } from '../schemas.ts'
import type { BeatStore } from '../stores/beats.ts'
import type { HeartbeatRow, HeartbeatStore } from '../stores/heartbeats.ts'
import { dayStart } from './active-hours.ts'

export type HeartbeatService = ReturnType<typeof createHeartbeatService>

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  agents: Agents
  jobs: Jobs
  models: Models
  sessions: Sessions
  heartbeatStore: HeartbeatStore
  beatStore: BeatStore
}
type Key = Owned & { readonly agentId: string }

const CRON_PARAMS = { cron: '/cronExpression', timezone: '/timezone' }
/** What the schedule is made of. */
const timing = ['enabled', 'intervalMinutes', 'cronExpression', 'timezone'] as const

/** Whether, when and how agents beat. */
export function createHeartbeatService(deps: Deps) {
  const { transaction, facts, agents, jobs, models, sessions, heartbeatStore, beatStore } = deps

  async function read(by: Principal, agentId: string): Promise<Heartbeat> {
    const { project, owner } = await agents.owned(by, agentId, 'read')
    const key = { project, owner, agentId }
    return show(key, await heartbeatStore.find(key))
  }

  /** As people see it, also before the first edit. */
  async function show(key: Key, row: HeartbeatRow | undefined): Promise<Heartbeat> {
    const none = { isolatedSessionId: null, failures: 0, backoffUntil: null, version: 0 }
    const heartbeat = row ?? { ...key, ...defaults, ...none, createdAt: null, updatedAt: null }
    const [nextBeatAt, scheduleError, lastBeat, today] = await Promise.all([
      jobs.schedules.nextAt(key.project, key.agentId),
      jobs.schedules.errorOf(key.project, key.agentId),
      beatStore.findLast(key),
      beatStore.countSince(key, dayStart(new Date(), heartbeat.timezone))
    ])
    return {
      ...heartbeat,
      nextBeatAt: nextBeatAt?.toISOString() ?? null,
      scheduleError,
      lastBeat: lastBeat ?? null,
      today
    }
  }

  async function update(by: Principal, agentId: string, changes: HeartbeatChanges, version?: number) {
    const { project, owner } = await agents.owned(by, agentId, 'change')
    const key = { project, owner, agentId }
    await checkReferences(by, key, changes)
    const row = await transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent')
      const before = await heartbeatStore.take(trx, key)
      if (version !== undefined && version !== before.version)
        throw preconditionFailed(
          'If-Match does not match the current version. Fetch the heartbeat and retry with its ETag.'
        )
      const after = merged(before, changes)
      jobs.schedules.check(after.cronExpression ?? '0 0 * * *', after.timezone, CRON_PARAMS)
      const changed = writable.filter((name) => !isDeepStrictEqual(before[name], after[name]))
      // Those who edit it, be it with what it was, want it to beat again.
      const rested = { failures: 0, backoffUntil: null }
      if (changed.length === 0) return heartbeatStore.update(trx, key, rested)
      const edited = { version: before.version + 1, updatedAt: new Date().toISOString() }
      const row = await heartbeatStore.update(trx, key, { ...after, ...rested, ...edited })
      if (timing.some((name) => changed.includes(name))) await schedule(trx, row)
      const { prompt: _, ...settings } = after
      const data = { ...settings, agentId, version: row.version }
      await facts.record(trx, 'autonomy.updated', by, { subject: agentId, owner, data })
      return row
    })
    return show(key, row)
  }

  /** 400, 403 or 404 for what is newly named; what is gone by now may be sent back. */
  async function checkReferences(by: Principal, key: Key, { model, sessionId }: HeartbeatChanges) {
    const known = await heartbeatStore.find(key)
    if (model && model.modelProvider !== known?.model?.modelProvider)
      models.checkProvider(model.modelProvider, '/model/modelProvider')
    if (sessionId == null || sessionId === known?.sessionId) return
    const session = await sessions.owned(by, sessionId, 'change', '/sessionId')
    if (session.agentId !== key.agentId)
      throw invalid('/sessionId', 'The session belongs to another agent', 'session_of_another_agent')
    if (session.owner !== key.owner)
      throw invalid('/sessionId', 'The session is not the agent’s owner’s, in whose name it beats')
  }

  async function schedule(trx: Trx, row: HeartbeatRow): Promise<void> {
    const { project, owner, agentId, enabled, intervalMinutes, cronExpression, timezone } = row
    if (!enabled) return jobs.schedules.remove(trx, project, agentId)
    const order = { project, owner, id: agentId, queue: 'autonomy.beat', data: { project, agentId } }
    await jobs.schedules.set(
      trx,
      cronExpression === null
        ? { ...order, everyMinutes: intervalMinutes as number }
        : { ...order, cron: cronExpression, timezone }
    )
  }

  return {
    read,
    update,
    /** Its beats go in batches. */
    async agentDeleted({ project, subject: agentId }: Fact, trx: Trx): Promise<void> {
      await jobs.schedules.remove(trx, project, agentId)
      await heartbeatStore.remove(trx, { project, agentId })
    },
    sessionDeleted: ({ project, subject, data }: Fact<{ agentId: string }>, trx: Trx) =>
      heartbeatStore.removeSession(trx, { project, agentId: data.agentId }, subject)
  }
}

/** Of interval and cron expression the one that is given takes the place of the other. */
function merged(before: Settings, changes: HeartbeatChanges): Settings {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const after: Settings = { ...pick(before), ...given }
  if (changes.activeHours)
    after.activeHours = { ...changes.activeHours, days: changes.activeHours.days ?? null }
  const { intervalMinutes, cronExpression } = changes
  if (intervalMinutes != null && cronExpression != null)
    throw invalid('/cronExpression', 'Either /intervalMinutes or /cronExpression may be given')
  if (intervalMinutes != null) after.cronExpression = null
  if (cronExpression != null) after.intervalMinutes = null
  if (after.intervalMinutes === null && after.cronExpression === null) {
    const param = intervalMinutes === null ? '/intervalMinutes' : '/cronExpression'
    throw invalid(param, `${param} is required: set intervalMinutes or cronExpression`)
  }
  if (after.activeHours && after.activeHours.from === after.activeHours.to)
    throw invalid('/activeHours/to', '/activeHours/to must not be the same as /activeHours/from')
  return after
}

const pick = (row: Settings) =>
  Object.fromEntries(writable.map((name) => [name, row[name]])) as unknown as Settings
