/** What came too late. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded'
  constructor(ms: number) {
    super(`No answer within ${ms} ms`)
  }
}

/** So much at most counts between two looks at the clock. */
const LOOK_MS = 100

/**
 * The promise's outcome, or a `DeadlineExceeded` after `ms`. What it stood for goes on; its outcome is dropped. Time in
 * which this process was busy with itself and read no answers counts little: that nothing was heard is its own fault.
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  let immediate: NodeJS.Immediate | undefined
  let left = ms
  const wait = (): NodeJS.Timeout => {
    const next = Math.min(left, LOOK_MS)
    return setTimeout(() => {
      left -= next
      if (left > 0) timer = wait()
      // An answer that came meanwhile is read before the immediate runs.
      else immediate = setImmediate(() => reject(new DeadlineExceeded(ms)))
    }, next)
  }
  let timer = wait()
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}
