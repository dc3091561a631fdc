import { setTimeout as delay } from 'node:timers/promises'
import type { MemoryEnd } from '../guest/orders.ts'

/** A look at a computer waits so long for what it says of its memory. */
const PATIENCE_MS = 1_000

/**
 * What a computer takes of memory, in bytes, by what it answers to `order`; undefined where it says nothing in time, or what
 * cannot be.
 */
export function askMemory(order: () => Promise<unknown>): () => Promise<number | undefined> {
  let asked: Promise<number | undefined> | undefined

  async function ask(): Promise<number | undefined> {
    const answer = await order().catch(() => undefined)
    // It may be anything.
    const bytes = (answer as Partial<MemoryEnd> | null | undefined)?.bytes
    return typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : undefined
  }

  return () => {
    // All who look while an answer is on its way wait for that one, so that one which does not answer has one such order.
    asked ??= ask().finally(() => {
      asked = undefined
    })
    return Promise.race([asked, delay(PATIENCE_MS, undefined, { ref: false })])
  }
}
