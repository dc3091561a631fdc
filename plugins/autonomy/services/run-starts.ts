import type { Fact, Kernel, Principal, Trx } from 'agent-platform'
import { isDatabaseAway, newId } from 'agent-platform'
import type { Run, RunOrder, Runs } from '../../runs/contract.ts'
import type { Beat } from '../schemas.ts'
import type { BeatRow, BeatStore, NewBeat } from '../stores/beats.ts'
import type { HeartbeatStore } from '../stores/heartbeats.ts'
import { NOTHING } from './prompts.ts'

export type RunStarts = ReturnType<typeof createRunStarts>

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'principals'> {
  runs: Runs
  heartbeatStore: HeartbeatStore
  beatStore: BeatStore
}
type Outcome = Pick<Beat, 'status'> &
  Partial<Pick<Beat, 'tokens' | 'silent' | 'error' | 'reason' | 'sessionId'>>
type Ended = Fact<{ runId: string; sessionId: string; usage: Run['usage']; code?: string }>

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS
/** What does not begin within that has failed. */
const PATIENCE_MS = 5 * MINUTE_MS
/** By a cron expression: what stands for the interval after a failure. */
const CRON_MINUTES = 30
/** What may be otherwise a moment later. */
const passing = new Set<unknown>([undefined, 'internal', 'unavailable', 'rateLimited'])

/** Runs of beats: each begins once, and what came of it is written down once. */
export function createRunStarts(deps: Deps) {
  const { transaction, facts, principals, runs, heartbeatStore, beatStore } = deps

  /** A beat whose run is to begin; undefined where its due time or its run has one already. */
  async function insert(trx: Trx, by: Principal, beat: NewBeat): Promise<BeatRow | undefined> {
    const row = await beatStore.insert(trx, { id: newId('beat'), runId: newId('run'), ...beat })
    if (!row) return undefined
    const { project: _, order: __, ...data } = row
    await facts.record(trx, 'autonomy.beat_started', by, { subject: row.id, owner: row.owner, data })
    return row
  }

  /** Begins the run of a beat, unless it has begun. Rejects as long as another try may help. */
  async function start(beat: BeatRow): Promise<void> {
    if (beat.status !== 'starting' || !beat.order || beat.runId === null) return
    const by = await principals.of(beat.project, beat.owner)
    if (!by) return end(beat, { status: 'skipped', reason: 'owner_disabled' })
    const order = { ...beat.order, id: beat.runId }
    const begun = await begin(by, order).catch((error) => failed(beat, error))
    const { sessionId } = begun
    await transaction(async (trx) => {
      // A short run may have ended before.
      if (await beatStore.updateStarted(trx, beat, sessionId)) await keepSession(trx, beat, sessionId)
    })
  }

  async function begin(by: Principal, order: RunOrder): ReturnType<Runs['start']> {
    const { sessionId, ...others } = order
    return runs.start(by, order).catch((error) => {
      if (sessionId !== undefined && isSessionGone(error)) return runs.start(by, others)
      throw error
    })
  }

  async function failed(beat: BeatRow, error: unknown): Promise<never> {
    const { kind, code, message } = error as { kind?: string; code?: string; message: string }
    const isOld = Date.now() - Date.parse(beat.createdAt) > PATIENCE_MS
    if (!isDatabaseAway(error) && (!passing.has(kind) || isOld))
      await end(beat, { status: 'failed', error: { code: code ?? kind ?? 'internal', message } })
    throw error
  }

  /** Where no other one is set, later beats go on in it. */
  async function keepSession(trx: Trx, beat: BeatRow, sessionId: string): Promise<void> {
    const heartbeat = beat.trigger === 'external' ? undefined : await heartbeatStore.lock(trx, beat)
    if (heartbeat && heartbeat.sessionId !== sessionId)
      await heartbeatStore.update(trx, beat, { isolatedSessionId: sessionId })
  }

  async function end(beat: BeatRow, outcome: Outcome): Promise<void> {
    await transaction((trx) => settle(trx, beat, outcome))
  }

  /** Once: whatever comes second finds it over. */
  async function settle(trx: Trx, beat: BeatRow, outcome: Outcome): Promise<void> {
    const row = await beatStore.settle(trx, beat, { ...outcome, endedAt: new Date().toISOString() })
    if (!row || row.trigger === 'external') return
    if (beat.status === 'starting' && outcome.sessionId) await keepSession(trx, beat, outcome.sessionId)
    if (row.status !== 'completed' && row.status !== 'failed') return
    const heartbeat = await heartbeatStore.lock(trx, row)
    if (!heartbeat) return
    const failures = row.status === 'failed' ? heartbeat.failures + 1 : 0
    const rest = (heartbeat.intervalMinutes ?? CRON_MINUTES) * MINUTE_MS * 2 ** (failures - 1)
    const until = Date.parse(row.dueAt ?? row.createdAt) + Math.min(rest, DAY_MS)
    const backoffUntil = failures === 0 ? null : new Date(until).toISOString()
    await heartbeatStore.update(trx, row, { failures, backoffUntil })
  }

  /** The ends of runs, as far as they are those of beats. */
  const runsEnded =
    (status: 'completed' | 'failed' | 'cancelled') =>
    async (facts: readonly Ended[], trx: Trx): Promise<void> => {
      for (const [project, about] of Map.groupBy(facts, (fact) => fact.project)) {
        const data = new Map(about.map(({ data }) => [data.runId, data]))
        const open = await beatStore.listOpenOf(trx, project, [...data.keys()])
        if (open.length === 0) continue
        const found = await runs.outcomes(trx, project, [...data.keys()])
        for (const beat of open) {
          const { runId, sessionId, usage, code } = data.get(beat.runId as string) as Ended['data']
          // What it said; it may be gone with its session by now.
          const run = found.get(runId)
          const error = run?.error ?? (code === undefined ? null : { code, message: 'Its run failed' })
          await settle(trx, beat, { status, sessionId, ...outcomeOf(usage, run?.content ?? null), error })
        }
      }
    }

  /** Of a run that began before it was recorded: it may have ended, and its fact been handled. */
  async function noteEnd(by: Principal, beat: BeatRow): Promise<void> {
    const { status, usage, content, error } = await runs.settled(by, beat.runId ?? '', AbortSignal.abort())
    if (status === 'completed' || status === 'failed' || status === 'cancelled')
      await end(beat, { status, ...outcomeOf(usage, content), error })
  }

  return { insert, start, runsEnded, noteEnd }
}

const outcomeOf = (usage: Run['usage'], content: string | null) => ({
  tokens: usage.inputTokens + usage.outputTokens,
  silent: content === null ? null : content.trim() === NOTHING
})

const isSessionGone = (error: unknown): boolean => {
  const { kind, param } = error as { kind?: unknown; param?: unknown }
  return kind === 'notFound' && param === '/sessionId'
}
