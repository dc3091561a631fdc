import { invalid } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { CronParams } from '../contract.ts'
import type { CronDays } from './cron-fields.ts'
import { CronError, parseCron } from './cron-fields.ts'
import { instantsOf, isZone, offsetAt, offsetsAround } from './zones.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** The 29th of February falls on a given weekday at most 40 years apart. */
const YEARS = 41
const DEFAULT_PARAMS: CronParams = { cron: '/cron', timezone: '/timezone' }

/** Schedules of many people have the same times. */
const known = new LRUCache<string, number>({ max: 1_000 })

/**
 * The first time after `after` at which clocks in the time zone show a time of the cron expression.
 *
 * Where clocks go back, a time that they show twice counts once, at the first; an expression of every hour counts
 * both. Where clocks go forward, a time that they skip comes later by as much as they skip.
 *
 * Throws a `CronError` that says why there is none, and a `RangeError` for an unknown zone.
 */
export function nextTime(cron: string, timezone: string, after: Date): Date {
  const minute = Math.floor(after.getTime() / MINUTE_MS)
  const key = `${minute} ${timezone} ${cron}`
  const next = known.get(key) ?? calculate(cron, timezone, minute * MINUTE_MS)
  known.set(key, next)
  return new Date(next)
}

function calculate(cron: string, timezone: string, now: number): number {
  const { minutes, hours, days } = parseCron(cron)
  const isHourly = hours.length === 24
  let best = Number.POSITIVE_INFINITY
  let last = Number.POSITIVE_INFINITY
  for (const local of localTimes(minutes, hours, days, firstLocal(timezone, now))) {
    if (local > last) break
    const instants = instantsOf(timezone, local)
    const next = (isHourly ? instants : instants.slice(0, 1)).find((instant) => instant > now)
    if (next === undefined || next >= best) continue
    best = next
    // Later local times than that are later instants, too.
    last = best + Math.max(...offsetsAround(timezone, best))
  }
  if (best === Number.POSITIVE_INFINITY) throw new CronError('never occurs')
  return best
}

/** Just ahead of it the clock may have skipped times that are still to come, or may be about to show times again. */
function firstLocal(timezone: string, now: number): number {
  const [before, offset, after] = offsetsAround(timezone, now)
  const skipped = Math.max(0, offset - before)
  const repeated = Math.max(0, offset - after)
  const isNear = offsetAt(timezone, now - skipped) !== offset || offsetAt(timezone, now + repeated) !== offset
  return now + offset - (isNear ? skipped + repeated : 0)
}

/** In order, from `from` on. */
function* localTimes(minutes: readonly number[], hours: readonly number[], days: CronDays, from: number) {
  const first = new Date(from)
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth()]
  for (let index = month; index < month + YEARS * 12; index++)
    for (const day of days(year + Math.floor(index / 12), index % 12)) {
      const midnight = Date.UTC(year, index, day)
      if (midnight + DAY_MS <= from) continue
      for (const hour of hours)
        for (const minute of minutes) {
          const local = midnight + (hour * 60 + minute) * MINUTE_MS
          if (local >= from) yield local
        }
    }
}

/** 400 for a cron expression that is not valid or never occurs, and for an unknown time zone. */
export function checkCron(cron: string, timezone: string, params: CronParams = DEFAULT_PARAMS): void {
  if (!isZone(timezone))
    throw invalid(params.timezone, `${params.timezone} must be an IANA time zone, such as Europe/Berlin`)
  try {
    nextTime(cron, timezone, new Date())
  } catch (error) {
    if (!(error instanceof CronError)) throw error
    throw invalid(params.cron, `${params.cron} is not a valid cron expression: ${error.message}`)
  }
}
