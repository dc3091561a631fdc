import type { ActiveHours } from '../schemas.ts'
import { weekdays } from '../schemas.ts'

const DAY = 1_440
const MINUTE_MS = 60_000

/** What a clock on the wall of that time zone shows. */
function wallClock(at: Date, timezone: string): { minutes: number; weekday: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23'
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const day = parts.get('weekday')?.toLowerCase()
  const weekday = weekdays.indexOf(day as (typeof weekdays)[number])
  return { minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')), weekday }
}

const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** Whether it is one of the active hours; what goes on after midnight belongs to the day on which it began. */
export function isActive({ from, to, days }: ActiveHours, timezone: string, at: Date): boolean {
  const { minutes, weekday } = wallClock(at, timezone)
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  const on = (day: number) => !days || days.includes(weekdays[day] as (typeof weekdays)[number])
  if (begin < end) return begin <= minutes && minutes < end && on(weekday)
  return (minutes >= begin && on(weekday)) || (minutes < end && on((weekday + 6) % 7))
}

/** When the day began that it is in that time zone, over a change of its clocks too. */
export function dayStart(at: Date, timezone: string): Date {
  const { minutes } = wallClock(at, timezone)
  const whole = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS
  const start = new Date(whole - minutes * MINUTE_MS)
  const off = wallClock(start, timezone).minutes
  return new Date(start.getTime() + (off > DAY / 2 ? DAY - off : -off) * MINUTE_MS)
}
