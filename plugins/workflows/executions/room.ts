import type { StepError, StepRow } from './journal.ts'
import { StepFailure } from './journal.ts'
import { newAttempt } from './scopes.ts'

interface Refusal {
  readonly kind?: unknown
  readonly code?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** So long a step waits for a platform that has no room for it. */
const PATIENCE_MS = 6 * 3_600_000
const AWAY_SECONDS = 5

const refusalOf = (error: unknown): Refusal => Object(error instanceof StepFailure ? error.cause : error)

/**
 * Seconds after which a platform that had no room may have some; undefined for other errors, after six hours, and where
 * the step may have had its effect and is not safe to repeat.
 */
export async function secondsUntilRoom(
  { startedAt }: StepRow,
  error: unknown,
  isSafe: () => Promise<boolean>
): Promise<number | undefined> {
  const { kind, code, headers } = refusalOf(error)
  const after = headers?.['retry-after']
  const isLimited = kind === 'rateLimited' && after !== undefined
  const isAway = kind === 'unavailable' && code === undefined
  if (!(isLimited || isAway) || Date.now() - Date.parse(startedAt) > PATIENCE_MS) return undefined
  // What a step throws itself may come after a part of its effect.
  if ((isAway || error instanceof StepFailure) && !(await isSafe())) return undefined
  // Not all of a loop at the same time.
  return Math.max(Number(after ?? AWAY_SECONDS), 1) * (1 + Math.random() / 4)
}

/** The next attempt; the same one where the platform had no room for it. */
export const again = (before: StepRow): StepRow =>
  before.state?.heldAt === undefined ? newAttempt(before) : { ...newAttempt(before), attempt: before.attempt }

/** A step that waits until the platform has room for its attempt. */
export const heldRow = (row: StepRow, error: StepError): StepRow => ({
  ...row,
  status: 'waiting',
  awaits: false,
  output: null,
  error,
  ref: null,
  state: { retry: true, heldAt: Date.now() }
})
