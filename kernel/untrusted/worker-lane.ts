import { Worker } from 'node:worker_threads'
import { rateLimited } from '../contract/errors.ts'
import type { Principal } from '../identity/ownership.ts'

/** A worker that says nothing for so long is stuck where no clock of its own stops it. */
const STUCK_MS = 15_000
const MEMORY_MB = 192

export type Asker = Pick<Principal, 'project' | 'owner'>

interface LaneOptions<A> {
  /** Answers each message with one message, in their order. */
  readonly worker: URL
  /** For a question by which the worker was lost: it was stuck, or out of memory. */
  readonly lost: A
  /** What is refused where too much waits, as the message begins. */
  readonly tooMany: string
  /** How many questions may wait. */
  readonly most: { readonly ofOwner: number; readonly ofProject: number }
  /** Questions that the worker has at a time, so that it need not wait for this thread; default 1. */
  readonly ahead?: number
}

interface Job<Q, A> {
  readonly question: Q
  readonly signal: AbortSignal | undefined
  resolve(answer: A): void
  reject(error: unknown): void
}

/**
 * One worker thread, which answers questions in turn: of each project after the other, and there of each owner, so that a
 * service which names a thousand initiators has one turn of its project's.
 */
export function createWorkerLane<Q, A>({ worker: file, lost, tooMany, most, ahead = 1 }: LaneOptions<A>) {
  const waiting = new Map<string, Map<string, Job<Q, A>[]>>()
  /** What the worker has, the one that it answers first. */
  let asked: Job<Q, A>[] = []
  let worker: Worker | undefined
  let stuck: NodeJS.Timeout | undefined

  function begin(): Worker {
    const started = new Worker(file, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 }
    })
    started.unref()
    started.on('message', (answer: A) => settle(started, answer))
    // Out of memory, as a rule.
    started.on('error', () => undefined)
    started.on('exit', () => lose(started))
    return started
  }

  function settle(by: Worker, answer: A): void {
    if (by !== worker) return
    asked.shift()?.resolve(answer)
    if (asked.length === 0) worker.unref()
    watch()
    next()
  }

  /** What it was at is to blame; what it had beside that is asked again. */
  function lose(gone: Worker): void {
    if (gone !== worker) return
    worker = undefined
    const [blamed, ...others] = asked
    asked = []
    blamed?.resolve(lost)
    for (const job of others) ask(job)
    watch()
    next()
  }

  /** The first of the project and the owner whose turn it is, who are the last ones from then on. */
  function take(): Job<Q, A> | undefined {
    for (const [project, owners] of waiting) {
      const [owner, jobs] = owners.entries().next().value as [string, Job<Q, A>[]]
      const job = jobs.shift()
      owners.delete(owner)
      if (jobs.length > 0) owners.set(owner, jobs)
      waiting.delete(project)
      if (owners.size > 0) waiting.set(project, owners)
      if (job && !job.signal?.aborted) return job
      job?.reject(job.signal?.reason)
    }
    return undefined
  }

  function ask(job: Job<Q, A>): void {
    asked.push(job)
    const used = (worker ??= begin())
    used.ref()
    used.postMessage(job.question)
    if (asked.length === 1) watch()
  }

  function next(): void {
    while (asked.length < ahead) {
      const job = take()
      if (!job) return
      ask(job)
    }
  }

  /** From now on the first of what the worker has is what it is at. */
  function watch(): void {
    clearTimeout(stuck)
    const [first] = asked
    if (!first) return
    stuck = setTimeout(() => void worker?.terminate(), STUCK_MS)
    stuck.unref()
  }

  /** 429 where too much of the owner or the project waits; the signal's reason when it is aborted before its turn. */
  return ({ project, owner }: Asker, question: Q, signal?: AbortSignal): Promise<A> => {
    const owners = waiting.get(project) ?? new Map<string, Job<Q, A>[]>()
    const jobs = owners.get(owner) ?? []
    const ofProject = owners.values().reduce((sum, { length }) => sum + length, 0)
    if (jobs.length >= most.ofOwner || ofProject >= most.ofProject)
      return Promise.reject(rateLimited(1, tooMany))
    const { promise, resolve, reject } = Promise.withResolvers<A>()
    jobs.push({ question, signal, resolve, reject })
    owners.set(owner, jobs)
    waiting.set(project, owners)
    next()
    return promise
  }
}
