import { rateLimited } from 'agent-platform'

export type Lanes = ReturnType<typeof createLanes>

/** At once, for one execution or workflow: the one whose turn it is, and those that wait. */
const MOST = 100

/**
 * What locks the same row goes one after another, ahead of the database: a transaction that waits for a row has a connection
 * that all others of this process need.
 */
export function createLanes() {
  const lanes = new Map<string, { last: Promise<unknown>; count: number }>()

  /** Does the work when that before it in the lane is done; 429 where too many wait there. */
  async function take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lane = lanes.get(key) ?? { last: Promise.resolve(), count: 0 }
    if (lane.count >= MOST) throw rateLimited(1, `More than ${MOST} wait for their turn`)
    lanes.set(key, lane)
    lane.count++
    const done = lane.last.then(work)
    lane.last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      if (--lane.count === 0) lanes.delete(key)
    }
  }

  return { take }
}
