import { invalid } from 'agent-platform'
import { CronExpressionParser } from 'cron-parser'
import type { CronParams } from '../contract.ts'

/** Five fields, so once a minute at most; nothing that is left to chance (`H`). */
const FIELDS = /^[\d*,/?#LA-GI-Z-]+( [\d*,/?#LA-GI-Z-]+){4}$/i
const LONGEST = 200
const DEFAULT_PARAMS: CronParams = { cron: '/cron', timezone: '/timezone' }

export const isCron = (text: string): boolean => text.length <= LONGEST && FIELDS.test(text)

/**
 * The first time after `after`. Over a change to or from daylight saving a time that the clock shows twice counts
 * once, and one that it skips comes an hour later.
 */
export const nextTime = (cron: string, timezone: string, after: Date): Date =>
  CronExpressionParser.parse(cron, { tz: timezone, currentDate: after }).next().toDate()

/** 400 for what is no cron expression of five fields, never comes, or is in no IANA time zone. */
export function checkCron(cron: string, timezone: string, params: CronParams = DEFAULT_PARAMS): void {
  if (!isZone(timezone))
    throw invalid(params.timezone, `${params.timezone} must be an IANA time zone, such as Europe/Berlin`)
  if (!isCron(cron))
    throw invalid(params.cron, `${params.cron} must be a cron expression of five fields, such as 0 9 * * 1-5`)
  try {
    nextTime(cron, timezone, new Date())
  } catch {
    throw invalid(params.cron, `${params.cron} must be a cron expression that has a next time`)
  }
}

/** A name, no offset. */
function isZone(timezone: string): boolean {
  if (!/^[A-Z]/i.test(timezone)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
    return true
  } catch {
    return false
  }
}
