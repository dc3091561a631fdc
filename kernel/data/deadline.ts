/** What came too late. */
export class DeadlineExceeded extends Error {
  constructor(ms: number) {
    super(`No answer within ${ms} ms`)
    this.name = 'DeadlineExceeded'
  }
}

/** The promise's outcome, or a `DeadlineExceeded` after `ms`. What it stood for goes on; its outcome is dropped. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceeded(ms)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
