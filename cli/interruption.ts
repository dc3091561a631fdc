import { unlessAborted } from '../kernel/contract/aborted.ts'
import { INTERRUPTED, Interrupted } from './faults.ts'

/** npm hands on the signal that the terminal has already sent to everybody. */
const ECHO_MS = 500

const interruption = new AbortController()

/** Aborted by the first Ctrl-C, or SIGTERM: what was begun is ended. */
export const interrupted: AbortSignal = interruption.signal

/** Ends what was begun, as Ctrl-C does. */
export const interrupt = (): void => interruption.abort(new Interrupted('Interrupted'))

/** From now on Ctrl-C ends what was begun; a second one ends the process. */
export function heedInterruption(): void {
  let first = Number.POSITIVE_INFINITY
  const heed = () => {
    if (performance.now() - first > ECHO_MS) process.exit(INTERRUPTED)
    first = Math.min(first, performance.now())
    interrupt()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, heed)
}

/** What `work` gives, unless it is interrupted before: then it rejects at once. */
export const unlessInterrupted = <T>(work: Promise<T>): Promise<T> => unlessAborted(interrupted, work)
