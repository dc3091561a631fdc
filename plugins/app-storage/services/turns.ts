import { rateLimited } from 'agent-platform'

/** How many wait behind each one that is under way; then callers are told to come later. */
const WAITING = 30

/** So many at a time, of each key and in all; the others wait in their order. */
export function createTurns(ofKey: number, inAll: number) {
  const running = new Map<string, number>()
  let waiting: { readonly key: string; readonly begin: () => void }[] = []
  let all = 0

  const isFree = (key: string) => all < inAll && (running.get(key) ?? 0) < ofKey

  function begin(key: string): void {
    all++
    running.set(key, (running.get(key) ?? 0) + 1)
  }

  function end(key: string): void {
    all--
    const left = (running.get(key) ?? 1) - 1
    if (left > 0) running.set(key, left)
    else running.delete(key)
    const next = waiting.find(({ key }) => isFree(key))
    if (!next) return
    waiting = waiting.filter((it) => it !== next)
    begin(next.key)
    next.begin()
  }

  return async <T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    if (isFree(key)) begin(key)
    else {
      if (waiting.filter((it) => it.key === key).length >= WAITING * ofKey)
        throw rateLimited(1, 'The app makes too many calls of its storage at a time')
      await turn(key, signal)
    }
    try {
      return await work()
    } finally {
      end(key)
    }
  }

  function turn(key: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = () => {
      waiting = waiting.filter((it) => it !== entry)
      reject(signal.reason)
    }
    const entry = {
      key,
      begin() {
        signal.removeEventListener('abort', leave)
        resolve()
      }
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.push(entry)
    return promise
  }
}
