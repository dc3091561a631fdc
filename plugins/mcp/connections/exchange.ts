import { AsyncLocalStorage } from 'node:async_hooks'
import type { Answer, Question } from '../../tools/contract.ts'

/** One request to a server, for as long as its answer is waited for. */
export interface Exchange {
  /** Who is asked and told; undefined where nobody is. */
  readonly follower: string | undefined
  /** Aborted when nobody waits any more, with what went wrong, if so. */
  readonly signal: AbortSignal
  /** Ends it: what the server sends is not to be read on. */
  fail(error: unknown): void
  progress(output: string): void
  ask(question: Question): Promise<Answer>
}

export interface ExchangeOptions {
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  readonly late: () => unknown
  readonly follower?: string
  progress?(output: string): void
  ask?(question: Question): Promise<Answer>
}

/**
 * Which request something belongs to that a server sends: what comes on the reply to a request runs in its context.
 * Of what comes on a connection that all requests share it cannot be told; then they must have one follower, for a
 * question must not reach whoever did not call.
 */
const contexts = new AsyncLocalStorage<Exchange | undefined>()

/** How long a reply may take to end once it has answered. */
const LINGER_MS = 500

export type Exchanges = ReturnType<typeof createExchanges>

/** The requests of one connection. */
export function createExchanges() {
  const running = new Set<Exchange>()

  async function run<T>(options: ExchangeOptions, work: (exchange: Exchange) => Promise<T>): Promise<T> {
    const { seconds, signal, late, follower, progress, ask } = options
    signal?.throwIfAborted()
    const stop = new AbortController()
    let isOver = false
    const leave = () => stop.abort(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    const limit = createLimit(seconds * 1_000, () => stop.abort(late()))
    const exchange: Exchange = {
      follower,
      signal: stop.signal,
      fail: (error) => stop.abort(error),
      progress: (output) => {
        if (!isOver && !stop.signal.aborted) progress?.(output)
      },
      async ask(question) {
        if (!ask || isOver || stop.signal.aborted) return { action: 'cancel' }
        limit.pause()
        try {
          return await ask(question)
        } finally {
          limit.resume()
        }
      }
    }
    running.add(exchange)
    const end = () => stop.abort(ENDED)
    try {
      const answer = await contexts.run(exchange, () => orAborted(stop.signal, work(exchange)))
      // A reply that ends by itself leaves its connection to the next request.
      setTimeout(end, LINGER_MS).unref()
      return answer
    } catch (error) {
      end()
      throw error
    } finally {
      isOver = true
      running.delete(exchange)
      limit.end()
      signal?.removeEventListener('abort', leave)
    }
  }

  return {
    run,
    /** Undefined where it cannot be told. */
    current(): Exchange | undefined {
      const exchange = contexts.getStore()
      if (exchange) return running.has(exchange) ? exchange : undefined
      const last = [...running].at(-1)
      const isOne = [...running].every(({ follower }) => follower === last?.follower)
      return running.size === 1 || (isOne && last?.follower !== undefined) ? last : undefined
    },
    get size() {
      return running.size
    }
  }
}

/** What a request runs in, whatever its connection. */
export const currentExchange = (): Exchange | undefined => contexts.getStore()
/** For what outlives the request that brought it about. */
export const outsideExchanges = <T>(work: () => T): T => contexts.run(undefined, work)

const ENDED = new Error('ended')

async function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let leave = () => {}
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
  })
  work.catch(() => undefined)
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

/** A clock that can be stopped. */
function createLimit(milliseconds: number, over: () => void) {
  let left = milliseconds
  let since = performance.now()
  let pauses = 0
  let timer: NodeJS.Timeout | undefined = setTimeout(over, left).unref()
  return {
    pause() {
      if (pauses++ > 0) return
      clearTimeout(timer)
      left -= performance.now() - since
    },
    resume() {
      if (--pauses > 0) return
      since = performance.now()
      timer = setTimeout(over, Math.max(0, left)).unref()
    },
    end() {
      clearTimeout(timer)
      over = () => {}
      pauses = Number.POSITIVE_INFINITY
    }
  }
}
