import type { Feeds, Follower } from './feeds.ts'
import type { Part } from './part.ts'

/** Bodies that a consumer may leave behind before it is fed from the record again. */
const ahead = 16

/** The bodies of a stream behind `after`, each time that it is iterated. */
export function createFollow(feeds: Feeds) {
  return (project: string, stream: string, after: number, signal?: AbortSignal): AsyncIterable<string> => ({
    [Symbol.asyncIterator]: () => iterate(feeds, project, stream, after, signal)
  })
}

function iterate(
  feeds: Feeds,
  project: string,
  stream: string,
  after: number,
  signal?: AbortSignal
): AsyncIterator<string, undefined> {
  const bodies: string[] = []
  const waiting: ((result: IteratorResult<string, undefined>) => void)[] = []
  let ended = signal?.aborted ?? false
  let follower: Follower | undefined

  function push({ body }: Part) {
    const consumer = waiting.shift()
    if (consumer) consumer({ done: false, value: body })
    else bodies.push(body)
    return bodies.length < ahead
  }

  function end() {
    ended = true
    signal?.removeEventListener('abort', stop)
    for (const consumer of waiting.splice(0)) consumer({ done: true, value: undefined })
  }

  function stop() {
    if (follower) feeds.close(follower)
    bodies.length = 0
    end()
  }

  if (!ended) {
    signal?.addEventListener('abort', stop, { once: true })
    follower = feeds.follow(project, stream, after, { push, end })
  }

  return {
    next() {
      const value = bodies.shift()
      if (value !== undefined) return Promise.resolve({ done: false, value })
      if (ended) return Promise.resolve({ done: true, value: undefined })
      const { promise, resolve } = Promise.withResolvers<IteratorResult<string, undefined>>()
      waiting.push(resolve)
      if (follower) feeds.resume(follower)
      return promise
    },
    return() {
      stop()
      return Promise.resolve({ done: true, value: undefined })
    }
  }
}
