/** Rejects once the signal is aborted: a tool that does not mind it is not waited for, and not listened to. */
export function aborted(signal: AbortSignal) {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  let over = signal.aborted
  const stop = () => {
    over = true
    reject(signal.reason)
  }
  if (over) stop()
  signal.addEventListener('abort', stop)
  return {
    promise,
    get over() {
      return over
    },
    end() {
      over = true
      signal.removeEventListener('abort', stop)
    }
  }
}
