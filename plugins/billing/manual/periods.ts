import type { Plan } from '../schemas/catalogue.ts'

const MONTHS = { month: 1, year: 12 } as const

/**
 * The end of the period that begins at a time, both ISO 8601: periods are counted from the anchor, so that what began on the 31st
 * ends on the last day of short months, and on the 31st of long ones.
 */
export function periodEnd(anchorAt: string, start: string, interval: Plan['interval']): string {
  const anchor = new Date(anchorAt)
  const from = Date.parse(start)
  const months = MONTHS[interval]
  const since = new Date(start)
  const whole =
    (since.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + since.getUTCMonth() - anchor.getUTCMonth()
  for (let count = Math.max(0, Math.floor(whole / months)); ; count++) {
    const end = monthsAfter(anchor, count * months)
    if (end.getTime() > from) return end.toISOString()
  }
}

function monthsAfter(anchor: Date, months: number): Date {
  const moved = new Date(anchor)
  moved.setUTCDate(1)
  moved.setUTCMonth(anchor.getUTCMonth() + months)
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate()
  moved.setUTCDate(Math.min(anchor.getUTCDate(), last))
  return moved
}

/** What a new plan costs now, when what is left of a period that was paid for counts: whole minor units, below zero too. */
export function prorated(
  price: number,
  paid: { readonly price: number; readonly start: string; readonly end: string },
  now: number
): number {
  const [start, end] = [Date.parse(paid.start), Date.parse(paid.end)]
  const left = BigInt(Math.max(0, end - Math.max(now, start)))
  const unused = end > start ? (BigInt(paid.price) * left) / BigInt(end - start) : 0n
  return price - Number(unused)
}
