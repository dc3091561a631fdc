import { rateLimited, unavailable } from '../../contract/errors.ts'
import type { Asker } from './turns.ts'
import { createTurns } from './turns.ts'
import type { RunningWorker, StartWorker } from './worker-start.ts'

/** A worker that says nothing for so long is stuck where no clock of its own stops it. */
const STUCK_MS = 15_000

/** How the worker that had a question was lost. `died` is out of memory, as a rule. */
export type Loss = 'stuck' | 'died' | 'not started'

export interface LaneOptions<A> {
  /** `threadOf` or `processOf` a file; it is started when it is first asked. */
  readonly start: StartWorker
  /** For a question by which the worker was lost; what it throws, the asker gets. */
  readonly lost: (loss: Loss) => A
  /** What is refused where too much waits, as the message begins. */
  readonly tooMany: string
  /** How many questions may wait. */
  readonly most: { readonly ofOwner: number; readonly ofProject: number }
  /** Questions that a worker has at a time, so that it need not wait for this thread; default 1. */
  readonly ahead?: number
  /** Workers at a time; default 1. */
  readonly workers?: number
  /** Milliseconds that a question may take, with the start of its worker; default 15,000. */
  readonly stuckMs?: number
  /** A worker that had nothing to do for so many milliseconds ends; default: it stays. */
  readonly idleMs?: number
  /** After so many answers another worker takes its place; default: none does. */
  readonly answers?: number
}

export interface WorkerLane<Q, A> {
  /** 429 where too much of the owner or the project waits; the signal's reason when it is aborted before its turn. */
  ask(by: Asker, question: Q, signal?: AbortSignal): Promise<A>
  /** Ends the workers; what waits or is asked from then on fails with 503. */
  close(): void
}

interface Job<Q, A> {
  readonly question: Q
  readonly signal: AbortSignal | undefined
  resolve(answer: A | PromiseLike<A>): void
  reject(error: unknown): void
}

/** What a worker is at. */
interface Seat<Q, A> {
  worker: RunningWorker | undefined
  /** What it has, the one that it answers first. */
  readonly asked: Job<Q, A>[]
  answered: number
  timer: NodeJS.Timeout | undefined
}

/** Workers that answer questions in turn; one that is lost is replaced, and only the question that it was at fails. */
export function createWorkerLane<Q, A>(options: LaneOptions<A>): WorkerLane<Q, A> {
  const { start, lost, tooMany, most, ahead = 1, workers = 1, stuckMs = STUCK_MS } = options
  const { idleMs, answers = Number.POSITIVE_INFINITY } = options
  const waiting = createTurns<Job<Q, A>>()
  const seats = Array.from(
    { length: workers },
    (): Seat<Q, A> => ({ worker: undefined, asked: [], answered: 0, timer: undefined })
  )
  let isClosed = false

  function begin(seat: Seat<Q, A>): RunningWorker {
    const begun: RunningWorker = start({
      answer: (it) => seat.worker === begun && settle(seat, it as A),
      gone: (isStarted) => seat.worker === begun && lose(seat, isStarted ? 'died' : 'not started')
    })
    seat.worker = begun
    return begun
  }

  function settle(seat: Seat<Q, A>, answer: A): void {
    seat.asked.shift()?.resolve(answer)
    seat.answered++
    if (seat.asked.length === 0) seat.worker?.hold(false)
    if (seat.asked.length === 0 && seat.answered >= answers) end(seat)
    watch(seat)
    next()
  }

  /** What it was at is to blame; what it had beside that is asked again. */
  function lose(seat: Seat<Q, A>, loss: Loss): void {
    const [blamed, ...others] = seat.asked.splice(0)
    end(seat)
    blamed?.resolve(new Promise((resolve) => resolve(lost(loss))))
    for (const job of others) ask(seat, job)
    watch(seat)
    next()
  }

  function end(seat: Seat<Q, A>): void {
    const { worker } = seat
    seat.worker = undefined
    seat.answered = 0
    worker?.end()
  }

  function ask(seat: Seat<Q, A>, job: Job<Q, A>): void {
    seat.asked.push(job)
    const used = seat.worker ?? begin(seat)
    used.hold(true)
    used.post(job.question)
    if (seat.asked.length === 1) watch(seat)
  }

  /** Gives what waits to the workers with the fewest questions, such as run before such as would have to start. */
  function next(): void {
    for (;;) {
      const free = seats.filter(
        ({ asked, answered }) => asked.length < ahead && answered + asked.length < answers
      )
      free.sort((a, b) => a.asked.length - b.asked.length || Number(!a.worker) - Number(!b.worker))
      const job = free.length > 0 ? waiting.take() : undefined
      if (!job) return
      if (job.signal?.aborted) job.reject(job.signal.reason)
      else ask(free[0] as Seat<Q, A>, job)
    }
  }

  /** From now on the first of what the worker has is what it is at. */
  function watch(seat: Seat<Q, A>): void {
    clearTimeout(seat.timer)
    const isAsked = seat.asked.length > 0
    if (!isAsked && (idleMs === undefined || !seat.worker)) return
    const late = () => (isAsked ? lose(seat, 'stuck') : end(seat))
    seat.timer = setTimeout(late, isAsked ? stuckMs : idleMs)
    seat.timer.unref()
  }

  return {
    ask(by, question, signal) {
      if (isClosed)
        return Promise.reject(unavailable('The pack is being reloaded or disabled. Retry the request.'))
      const { ofOwner, ofProject } = waiting.count(by)
      if (ofOwner >= most.ofOwner || ofProject >= most.ofProject)
        return Promise.reject(rateLimited(1, tooMany))
      const { promise, resolve, reject } = Promise.withResolvers<A>()
      waiting.put(by, { question, signal, resolve, reject })
      next()
      return promise
    },

    close() {
      isClosed = true
      const gone = unavailable('The pack is being reloaded or disabled. Retry the request.')
      for (let job = waiting.take(); job; job = waiting.take()) job.reject(gone)
      for (const seat of seats) {
        clearTimeout(seat.timer)
        for (const job of seat.asked.splice(0)) job.reject(gone)
        end(seat)
      }
    }
  }
}
