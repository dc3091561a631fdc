interface Wait<T> {
  readonly over: Promise<T>
  /** Aborted once there is no waiter left. */
  readonly left: AbortController
  callers: number
}

/** What several callers wait for is waited for once: it costs the same however many they are. */
export function createJoinedWaits<T>() {
  const waits = new Map<string, Wait<T>>()

  function begin(key: string, work: (left: AbortSignal) => Promise<T>): Wait<T> {
    const left = new AbortController()
    const wait: Wait<T> = { over: work(left.signal).finally(() => end(key, wait)), left, callers: 0 }
    // Its callers may have left.
    wait.over.catch(() => undefined)
    waits.set(key, wait)
    return wait
  }

  function end(key: string, wait: Wait<T>): void {
    if (waits.get(key) === wait) waits.delete(key)
    wait.left.abort()
  }

  /** What came of the work that was begun under that key; undefined when `leave` was aborted before. */
  return async (
    key: string,
    work: (left: AbortSignal) => Promise<T>,
    leave: AbortSignal
  ): Promise<T | undefined> => {
    if (leave.aborted) return undefined
    const wait = waits.get(key) ?? begin(key, work)
    wait.callers++
    const gone = Promise.withResolvers<undefined>()
    const go = () => gone.resolve(undefined)
    leave.addEventListener('abort', go)
    try {
      return await Promise.race([wait.over, gone.promise])
    } finally {
      leave.removeEventListener('abort', go)
      if (--wait.callers === 0) end(key, wait)
    }
  }
}
