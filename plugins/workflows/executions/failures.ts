import type { StepRow } from './journal.ts'
import { StepFailure } from './journal.ts'

/** Of what a step is given, and of what it gives, as JSON. */
export const BYTES = 262_144
/** Of all of them together. */
const ALL_CHARACTERS = 16 * 1_048_576

/** Why an attempt ends early: its step is not needed any more, or another process makes it again. */
export const CANCEL = Object.assign(new Error('The step was cancelled'), { code: 'cancelled' })
export const HAND_OVER = Object.assign(new Error('The step goes on elsewhere'), { code: 'handed_over' })

export const OWNER_DISABLED = { code: 'owner_disabled', message: 'Its owner is disabled' }

export const timedOut = (seconds: number | undefined, final = false) =>
  new StepFailure('timed_out', `It took more than ${seconds} s`, { final })
export const tooLarge = (code: string, what: string) =>
  new StepFailure(code, `${what} is more than ${BYTES} bytes`, { final: true })

/** Refuses what has no room beside all that the steps of the execution were given and gave. */
export function checkRoom({ size }: { readonly size: number }, text: string, code: string): void {
  if (size + text.length > ALL_CHARACTERS)
    throw new StepFailure(code, 'What the steps are given and give is too much together', { final: true })
}

/** What the journal says of a failure: never what was not meant to be seen. */
export function failureOf(error: unknown): {
  code: string
  message: string
  final: boolean
  cost?: StepRow['cost']
} {
  if (error instanceof StepFailure) {
    const { cost } = error as { cost?: StepRow['cost'] }
    return { code: error.code, message: error.message, final: error.final, ...(cost && { cost }) }
  }
  // Told apart by its shape: it may come from another version of a pack.
  const { kind, code, message } = Object(error) as { kind?: unknown; code?: unknown; message: string }
  if (typeof kind !== 'string') return { code: 'internal', message: 'The step failed', final: false }
  const final = code === 'expression_failed' || code === 'expression_limit'
  return { code: typeof code === 'string' ? code : kind, message, final }
}
