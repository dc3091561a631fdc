import { url as inspected } from 'node:inspector'
import { Worker } from 'node:worker_threads'

/** What the thread is given. */
export interface Watched {
  /** Counts the turns of the loop that is watched. */
  readonly turns: Int32Array
  /** After so many looks without a turn the loop hangs. */
  readonly looks: number
}

const TURN_MS = 500
const LOOKS = 30

/**
 * Ends this process when its event loop has not turned for half a minute: it answers no request, and the other
 * instances cannot go on with what it holds. A second thread looks; it counts its own seconds, so that a machine that sleeps ends nothing.
 */
export function watchLoop(looks = LOOKS): void {
  // A debugger holds the loop on purpose.
  if (inspected() !== undefined) return
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  setInterval(() => Atomics.add(turns, 0, 1), TURN_MS).unref()
  const workerData: Watched = { turns, looks }
  const thread = new Worker(new URL('./watchdog-thread.js', import.meta.url), {
    workerData,
    execArgv: []
  })
  thread.on('error', (error) => process.emitWarning(error))
  thread.unref()
}
