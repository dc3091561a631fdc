/** What came too late. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded'
  constructor(ms: number) {
    super(`No answer within ${ms} ms`)
  }
}

/** The promise's outcome, or a `DeadlineExceeded` after `ms`. What it stood for goes on; its outcome is dropped. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  let immediate: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    // An answer that came while this process itself was busy is read before the immediate runs.
    immediate = setImmediate(() => reject(new DeadlineExceeded(ms)))
  }, ms)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
    clearImmediate(immediate)
  }
}
