/** Rejects once the signal is aborted: a tool that does not mind it is not waited for, and not listened to. */
export function aborted(signal: AbortSignal) {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const ended = new AbortController()
  let over = signal.aborted
  const stop = () => {
    over = true
    ended.abort(signal.reason)
    reject(signal.reason)
  }
  if (over) stop()
  signal.addEventListener('abort', stop)
  return {
    promise,
    /** Aborted when it is over, in whatever way. */
    signal: ended.signal,
    get over() {
      return over
    },
    end() {
      over = true
      ended.abort(new Error('It is over'))
      signal.removeEventListener('abort', stop)
    }
  }
}
