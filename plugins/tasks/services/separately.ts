import type { Kernel } from 'agent-platform'
import { isDatabaseAway } from 'agent-platform'

/**
 * Does work of many owners together and, if that fails, the work of each item separately, so that one item does not stop
 * the others. Rejects with the first error of an item after all others are done.
 */
export async function separately<T>(
  log: Kernel['log'],
  items: readonly T[],
  work: (items: readonly T[]) => Promise<void>
): Promise<void> {
  try {
    await work(items)
  } catch (error) {
    if (items.length < 2 || isDatabaseAway(error)) throw error
    log.warn({ err: error, items: items.length }, 'a batch failed; its items are processed one by one')
    const failed: unknown[] = []
    for (const item of items) await work([item]).catch((reason) => failed.push(reason))
    if (failed.length > 0) throw failed[0]
  }
}
