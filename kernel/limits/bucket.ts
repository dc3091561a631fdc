import { unavailable } from '../contract/errors.ts'

/** One key's share of a limit, as far as this instance has leased it. */
export interface Bucket {
  /** True when the request is allowed out of the lease; costs no wait. */
  take(): boolean
  /**
   * After `take` said false: leases more and takes from it. 0 when the request is allowed, else the whole
   * seconds to wait, at least 1. Throws `unavailable` when the shared store is away.
   */
  lease(): Promise<number>
}

interface Taken {
  /** How many of the units lay within the limit: no other instance gets these. */
  readonly granted: number
  /** What is left of the limit after them. */
  readonly remaining: number
  /** Until the window ends, in milliseconds. */
  readonly msLeft: number
}

export const storeAway = (cause: unknown): never => {
  throw unavailable('Rate limits cannot be checked at the moment', { headers: { 'retry-after': '1' }, cause })
}

export function createBucket(limit: number, takeUnits: (units: number) => Promise<Taken>): Bucket {
  const most = limit <= 60 ? 1 : Math.floor(limit / 20)
  let units = 0
  /** When the lease dies, reckoned from when it was asked for: never after its window. */
  let diesAt = 0
  /** Nothing is left until then, reckoned from the answer: never before the window ends. */
  let refusedUntil = 0
  let size = 0
  let remaining = limit
  let waiting = 0
  let renewal: Promise<void> | undefined

  async function renew(): Promise<void> {
    const askedAt = Date.now()
    // One at first, twofold while leases run dry, small again as the limit comes near.
    const next = askedAt < diesAt ? Math.min(most, size * 2, Math.floor(remaining / 4)) : 1
    size = Math.max(1, next)
    const taken = await takeUnits(Math.min(limit, Math.max(size, waiting))).catch(storeAway)
    units = taken.granted
    remaining = taken.remaining
    diesAt = askedAt + taken.msLeft
    refusedUntil = remaining > 0 ? 0 : Date.now() + taken.msLeft
  }

  function take(): boolean {
    if (units === 0 || Date.now() >= diesAt) return false
    units--
    return true
  }

  async function lease(): Promise<number> {
    waiting++
    try {
      for (;;) {
        if (take()) return 0
        const wait = refusedUntil - Date.now()
        if (wait > 0) return Math.ceil(wait / 1000)
        renewal ??= renew().finally(() => {
          renewal = undefined
        })
        await renewal
      }
    } finally {
      waiting--
    }
  }

  return { take, lease }
}
