/** What the work gives, unless the signal is aborted before: then its reason, at once. What the work gives later is dropped. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  try {
    // In this order: what was aborted before gives nothing, even when the work is done.
    return await Promise.race([promise, work])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
