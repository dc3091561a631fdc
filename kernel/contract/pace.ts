import { performance } from 'node:perf_hooks'

/** Milliseconds of one turn of the event loop for work that can stop in between, all of it together. */
const SHARE_MS = 5

const waiting: (() => void)[] = []
/** When that work began in this turn, if it has. */
let since: number | undefined
let isDue = false

function begin(): void {
  since = performance.now()
  if (isDue) return
  isDue = true
  setImmediate(() => {
    isDue = false
    since = undefined
    const next = waiting.shift()
    if (!next) return
    begin()
    next()
  })
}

/**
 * Whether this turn of the event loop has time left for work on what strangers sent, whatever pack does it. Ask before
 * each piece; what is left over is for another turn, so that requests have theirs, however many send however much.
 */
export function hasTurnTime(): boolean {
  if (since !== undefined) return performance.now() - since < SHARE_MS
  begin()
  return true
}

/** Resolves in a turn of the caller's own: those that wait have theirs one after the other. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (!isDue) begin()
  })
}

/** Awaited between pieces of work: resolves when there is time for the next one. */
export async function pace(): Promise<void> {
  if (!hasTurnTime()) await nextTurn()
}
