import { Worker } from 'node:worker_threads'
import { rateLimited } from '../contract/errors.ts'
import type { Principal } from '../identity/ownership.ts'
import type { SchemaFault } from './json-schema.ts'
import type { Question, Verdict } from './schema-worker.ts'

/** A worker that says nothing for so long is stuck where no clock of its own stops it. */
const STUCK_MS = 15_000
const MOST_OF_OWNER = 128
const MOST_OF_PROJECT = 512
const MEMORY_MB = 192

export type Asker = Pick<Principal, 'project' | 'owner'>

interface Job {
  readonly question: Question
  readonly signal: AbortSignal | undefined
  resolve(fault: SchemaFault | undefined): void
  reject(error: unknown): void
}

/**
 * One worker thread, which answers a question at a time: of each project after the other, and there of each owner, so that a
 * service which names a thousand initiators has one turn of its project's.
 */
export function createSchemaLane() {
  const waiting = new Map<string, Map<string, Job[]>>()
  let worker: Worker | undefined
  let current: Job | undefined

  function begin(): Worker {
    const started = new Worker(new URL('./schema-worker.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 }
    })
    started.unref()
    started.on('message', ({ fault }: Verdict) => settle(started, fault))
    // Out of memory, as a rule.
    started.on('error', () => undefined)
    started.on('exit', () => lose(started))
    return started
  }

  function settle(by: Worker, fault: SchemaFault | undefined): void {
    if (by !== worker) return
    worker.unref()
    current?.resolve(fault)
    current = undefined
    next()
  }

  function lose(lost: Worker): void {
    if (lost !== worker) return
    worker = undefined
    current?.resolve({ at: '', text: 'takes too much to be checked' })
    current = undefined
    next()
  }

  /** The first of the project and the owner whose turn it is, who are the last ones from then on. */
  function take(): Job | undefined {
    for (const [project, owners] of waiting) {
      const [owner, jobs] = owners.entries().next().value as [string, Job[]]
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

  function next(): void {
    if (current) return
    const job = take()
    if (!job) return
    current = job
    const used = (worker ??= begin())
    used.ref()
    used.postMessage(job.question)
    setTimeout(() => {
      if (current === job) void used.terminate()
    }, STUCK_MS).unref()
  }

  /** 429 where too much of the owner or the project waits; the signal's reason when it is aborted before its turn. */
  return (
    { project, owner }: Asker,
    question: Question,
    signal?: AbortSignal
  ): Promise<SchemaFault | undefined> => {
    const owners = waiting.get(project) ?? new Map<string, Job[]>()
    const jobs = owners.get(owner) ?? []
    const ofProject = owners.values().reduce((sum, { length }) => sum + length, 0)
    if (jobs.length >= MOST_OF_OWNER || ofProject >= MOST_OF_PROJECT)
      return Promise.reject(rateLimited(1, 'Too many schemas are being checked'))
    const { promise, resolve, reject } = Promise.withResolvers<SchemaFault | undefined>()
    jobs.push({ question, signal, resolve, reject })
    owners.set(owner, jobs)
    waiting.set(project, owners)
    next()
    return promise
  }
}
