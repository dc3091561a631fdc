import { LRUCache } from 'lru-cache'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** Formatting takes about 10 µs, and many schedules are calculated at the same times. */
const offsets = new LRUCache<string, number>({ max: 10_000 })
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000 })

/** Whether `timezone` is the name of an IANA time zone; an offset such as `+01:00` is not. */
export function isZone(timezone: string): boolean {
  if (!/^[A-Z]/i.test(timezone)) return false
  try {
    formatOf(timezone)
    return true
  } catch {
    return false
  }
}

/**
 * Offset of the zone's local time from UTC at `instant`, in milliseconds. `instant` is in milliseconds since 1970.
 * Throws a `RangeError` for an unknown zone.
 */
export function offsetAt(timezone: string, instant: number): number {
  // Clocks change at whole minutes.
  const minute = Math.floor(instant / MINUTE_MS)
  const key = `${timezone} ${minute}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  // `GMT`, `GMT+10:30`, `GMT-00:44:30`
  const [, sign, hours, minutes, seconds = 0] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatOf(timezone).format(minute * MINUTE_MS)) ?? []
  const size = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * MINUTE_MS + Number(seconds) * 1_000
  const offset = sign === '-' ? -size : size
  offsets.set(key, offset)
  return offset
}

/** Offsets around `instant`: a day before, then, and a day after. No zone changes its clock twice within two days. */
export const offsetsAround = (timezone: string, instant: number): [number, number, number] => [
  offsetAt(timezone, instant - DAY_MS),
  offsetAt(timezone, instant),
  offsetAt(timezone, instant + DAY_MS)
]

/**
 * Instants at which clocks in the zone show `local` (milliseconds since 1970 as if local time were UTC): two, the earlier
 * one first, where the clock goes back over it. Where the clock skips it, one: later by as much as the clock skips.
 */
export function instantsOf(timezone: string, local: number): number[] {
  const [before, , after] = offsetsAround(timezone, local)
  if (before === after) return [local - before]
  const shown = [local - before, local - after].filter(
    (instant) => instant + offsetAt(timezone, instant) === local
  )
  return shown.length > 0 ? shown : [local - before]
}

function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', { timeZone: timezone, timeZoneName: 'longOffset' })
  formats.set(timezone, format)
  return format
}
