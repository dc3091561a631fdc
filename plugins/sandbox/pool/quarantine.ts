import type { SandboxHealth } from '../contract.ts'

/** Processes that a program may be the end of before it is quarantined. */
const LOSSES = 3
const FIRST_MS = 10_000
const LONGEST_MS = 3_600_000
/** After so long without one more, losses are forgotten. */
const FORGIVEN_MS = 600_000
/** Calls that end well, apart from all others, by which a suspicion is cleared up. */
const CLEARED = 3

interface Entry {
  losses: number
  /** It was there when a process was lost, and others were too. */
  isSuspected: boolean
  well: number
  reason: string
  lostAt: number
}

/** Who is to blame for processes that were lost, over all versions of a program. */
export function createQuarantine(now = () => Date.now()) {
  const entries = new Map<string, Entry>()

  function entryOf(culprit: string): Entry | undefined {
    const entry = entries.get(culprit)
    if (entry && now() - entry.lostAt > Math.max(FORGIVEN_MS, 2 * backoff(entry))) {
      entries.delete(culprit)
      return undefined
    }
    return entry
  }

  const backoff = ({ losses }: Entry) =>
    losses < LOSSES ? 0 : Math.min(FIRST_MS * 2 ** (losses - LOSSES), LONGEST_MS)
  const untilOf = (entry: Entry) => entry.lostAt + backoff(entry)

  function note(culprit: string, reason: string): Entry {
    const entry = entryOf(culprit) ?? { losses: 0, isSuspected: false, well: 0, reason, lostAt: 0 }
    Object.assign(entry, { reason, lostAt: now(), well: 0 })
    entries.set(culprit, entry)
    return entry
  }

  return {
    /** It was the end of a process. */
    blame(culprit: string, reason: string): void {
      const entry = note(culprit, reason)
      entry.losses++
      entry.isSuspected = false
    },

    /** One of several that may have been. */
    suspect(culprit: string, reason: string): void {
      note(culprit, reason).isSuspected = true
    },

    /** A call of it ended, and its process is there. */
    survived(culprit: string): void {
      const entry = entries.get(culprit)
      if (!entry || ++entry.well < CLEARED) return
      entry.isSuspected = false
      if (entry.losses === 0) entries.delete(culprit)
    },

    reset: (culprit: string): void => void entries.delete(culprit),

    /** Whether it runs with no other program in its process. */
    isApart: (culprit: string): boolean => entryOf(culprit) !== undefined,

    of(culprit: string): SandboxHealth {
      const entry = entryOf(culprit)
      if (!entry) return { state: 'healthy', losses: 0 }
      const { losses, reason, isSuspected } = entry
      if (untilOf(entry) > now())
        return { state: 'quarantined', losses, reason, until: new Date(untilOf(entry)) }
      return { state: isSuspected ? 'suspected' : 'healthy', losses, reason }
    },

    count: () =>
      entries
        .values()
        .filter((entry) => untilOf(entry) > now())
        .toArray().length
  }
}
