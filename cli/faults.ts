import { isFailure } from '../kernel/contract/errors.ts'

/** What a command ends with, beside 0. */
export const FAILED = 1
export const WRONG_USAGE = 2
export const INTERRUPTED = 130

/** What the operator wrote cannot be done as it is: exit code 2. */
export class WrongUsage extends Error {}

/** The operator pressed Ctrl-C: exit code 130. */
export class Interrupted extends Error {}

/** The code that a command exits with when this was thrown. */
export function codeOf(error: unknown): number {
  if (error instanceof Interrupted) return INTERRUPTED
  const isWrong = error instanceof WrongUsage || (isFailure(error) && error.kind === 'invalid')
  return isWrong ? WRONG_USAGE : FAILED
}

/** What is said of a failure: one line, with the id of the request where the platform refused one. */
export function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { requestId, code, cause } = error as Error & { requestId?: unknown; code?: unknown }
  // Of several addresses none answered: the error of them all has no message.
  const message = error.message || String(code ?? '') || lineOf(cause)
  // A person at a terminal proves in a browser who it is.
  const remedy = code === 'confirmation_required' ? ': `login --fresh` does' : ''
  return `${onOneLine(message, '; ')}${remedy}${requestId ? ` (${requestId})` : ''}`
}

/** Its lines without the white space around them and without those that are blank, with `between` in between. */
export const onOneLine = (text: string, between = ' '): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(between)
