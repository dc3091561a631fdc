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

export const timedOut = (seconds: number | undefined) =>
  new StepFailure('timed_out', `The step took more than ${seconds} s`)

/** `why`: "The step was interrupted", for example. Another attempt might have the same effect again. */
export const unknownOutcome = (why: string) =>
  new StepFailure('outcome_unknown', `${why}; it may have had its effect`, { final: true })

/** A step with an effect that was ended while its attempt was in progress: nobody saw what it did. */
export function cutOff(row: StepRow): StepRow {
  const { code, message } = unknownOutcome('The step was ended while it was in progress')
  const endedAt = new Date().toISOString()
  const over = { deadline: null, awaits: false, output: null, endedAt }
  return {
    ...row,
    ...over,
    status: 'failed',
    error: { code, message },
    state: { ...row.state, isCutOff: true }
  }
}

export const isUnknown = ({ status, error }: StepRow): boolean =>
  status === 'failed' && error?.code === 'outcome_unknown'
/** `what`: "The input of the step", for example. */
export const tooLarge = (code: string, what: string, bytes: number) =>
  new StepFailure(code, `${what} has ${bytes} bytes as JSON; at most ${BYTES} are allowed`, { final: true })

/** Refuses what has no room beside all that the steps of the execution were given and gave. */
export function checkRoom({ size }: { readonly size: number }, text: string, code: string): void {
  if (size + text.length > ALL_CHARACTERS)
    throw new StepFailure(
      code,
      `The inputs and outputs of all steps together have more than ${ALL_CHARACTERS} characters as JSON`,
      { final: true }
    )
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
