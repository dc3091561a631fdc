import { AsyncLocalStorage } from 'node:async_hooks'
import { unlessAborted } from 'agent-platform'
import type { Answer, Call, Question } from '../../tools/contract.ts'
import type { Allowance } from './allowance.ts'
import { createAllowance } from './allowance.ts'

export type Caller = Pick<Call, 'by' | 'agentId' | 'run'>

/** One request to a server, for as long as its answer is waited for. */
export interface Exchange {
  /** The run that is asked and sees progress; undefined where there is none. */
  readonly follower: string | undefined
  /** Whose call it is; undefined where it is none of a tool. */
  readonly caller: Caller | undefined
  /** Aborted when no answer is waited for any more, with what went wrong, if so. */
  readonly signal: AbortSignal
  /** What the server may send in reply. */
  readonly allowance: Allowance
  /** Ends it: what the server sends is not to be read on. */
  fail(error: unknown): void
  /** Its reply has ended: it fails unless the answer is among what was received. */
  end(error: unknown): void
  /** Something was received, and is looked through. */
  receive(work: Promise<void>): void
  progress(output: string): void
  /** `resume` is how it goes on in another process. */
  ask(question: Question, resume?: unknown): Promise<Answer>
}

export interface ExchangeOptions {
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
  readonly late: () => unknown
  readonly follower?: string
  readonly caller?: Caller
  progress?(output: string): void
  ask?(question: Question, resume?: unknown): Promise<Answer>
}

/**
 * Which request something belongs to that a server sends: what comes on the reply to a request runs in its context.
 * Of what comes on a connection that all requests share it cannot be told; then they must have one follower, for a
 * question must not reach those who did not call.
 */
const contexts = new AsyncLocalStorage<Exchange | undefined>()

/** How long a reply may take to end once it has answered. */
const LINGER_MS = 500
/** How long an answer may take to be heard once its reply has ended. */
const LATE_MS = 1_000

export type Exchanges = ReturnType<typeof createExchanges>

/** The requests of one connection. */
export function createExchanges(messageBytes: number) {
  const running = new Set<Exchange>()
  const shared = createAllowance(messageBytes)

  async function run<T>(options: ExchangeOptions, work: (exchange: Exchange) => Promise<T>): Promise<T> {
    const { seconds, signal, late, follower, caller, progress, ask } = options
    signal?.throwIfAborted()
    const stop = new AbortController()
    let isOver = false
    let receiving = 0
    const leave = () => stop.abort(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    const limit = createLimit(seconds * 1_000, () => stop.abort(late()))
    const exchange: Exchange = {
      follower,
      caller,
      signal: stop.signal,
      allowance: createAllowance(messageBytes),
      fail: (error) => stop.abort(error),
      end(error) {
        setTimeout(() => (receiving > 0 ? exchange.end(error) : stop.abort(error)), LATE_MS).unref()
      },
      receive(work) {
        receiving++
        void work.finally(() => receiving--)
      },
      progress: (output) => {
        if (!isOver && !stop.signal.aborted) progress?.(output)
      },
      async ask(question, resume) {
        if (!ask || isOver || stop.signal.aborted) return { action: 'cancel' }
        limit.pause()
        try {
          return await ask(question, resume)
        } finally {
          limit.resume()
        }
      }
    }
    running.add(exchange)
    shared.grant()
    const end = () => stop.abort(ENDED)
    try {
      const answer = await contexts.run(exchange, () => unlessAborted(stop.signal, work(exchange)))
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
    /** What the server may send that is in reply to no request in particular. */
    allowance: shared,
    /** Ends all of them. */
    fail(error: unknown) {
      for (const exchange of running) exchange.fail(error)
    },
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
