/** Items that go into one statement, at most. */
const MOST = 128
/** Characters of all of them, where items say how many they have; a larger one goes alone. */
const CHARACTERS = 4_194_304

/** Whether nothing of a statement was done: the classes of SQLSTATE that blame the statement or its data. */
const isRefused = (error: unknown) => /^(2[0-9]|40|42|54)/.test(String((error as { code?: unknown }).code))

interface Options<T> {
  /** Of items of the same lane one goes at a time. */
  readonly lane?: (item: T) => string | undefined
  /** Characters that an item brings to the statement. */
  readonly size?: (item: T) => number
}

interface Waiting<T, R> {
  readonly item: T
  resolve(result: R): void
  reject(error: unknown): void
}

/**
 * One statement at a time for all that wait: what comes while it is in flight goes into the next one. `run` resolves
 * with a result for each item; when the database refuses the statement, each item is tried alone, so that one that is
 * at fault fails by itself.
 */
export function createBatch<T, R>(
  run: (items: readonly T[]) => Promise<readonly R[]>,
  { lane = () => undefined, size = () => 0 }: Options<T> = {}
): (item: T) => Promise<R> {
  let queue: Waiting<T, R>[] = []
  let running = false

  function take(): Waiting<T, R>[] {
    const lanes = new Set<string>()
    const taken: Waiting<T, R>[] = []
    const left: Waiting<T, R>[] = []
    let characters = 0
    for (const waiting of queue) {
      const own = lane(waiting.item)
      const all = characters + size(waiting.item)
      const hasRoom = taken.length === 0 || (taken.length < MOST && all <= CHARACTERS)
      const isFree = hasRoom && (own === undefined || !lanes.has(own))
      if (isFree && own !== undefined) lanes.add(own)
      if (isFree) characters = all
      ;(isFree ? taken : left).push(waiting)
    }
    queue = left
    return taken
  }

  async function write(taken: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await run(taken.map(({ item }) => item))
      for (const [index, { resolve }] of taken.entries()) resolve(results[index] as R)
    } catch (error) {
      if (taken.length > 1 && isRefused(error)) for (const one of taken) await write([one])
      else for (const { reject } of taken) reject(error)
    }
  }

  async function drain() {
    while (queue.length > 0) await write(take())
    running = false
  }

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve, reject })
      if (running) return
      running = true
      // What comes in the same turn goes along.
      setImmediate(drain)
    })
}
