import { AsyncLocalStorage } from 'node:async_hooks'
import { hash } from 'node:crypto'
import { uuidOfId } from './ids.ts'

// W3C Trace Context. Ids of spans are made of ids of things: the thing tells its span.

const contexts = new AsyncLocalStorage<string | undefined>()
const shape = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** The parts of a `traceparent`; undefined where it is none, or of the version that is none. */
export function readTraceparent(text: unknown): { traceId: string; spanId: string } | undefined {
  if (typeof text !== 'string' || text.startsWith('ff')) return undefined
  const [, traceId, spanId] = shape.exec(text) ?? []
  return traceId !== undefined && spanId !== undefined ? { traceId, spanId } : undefined
}

/** Does the work on behalf of that `traceparent`, or of none: requests of the guarded client that come of it carry it. */
export const traced = <T>(traceparent: string | undefined, work: () => T): T =>
  contexts.run(traceparent, work)

/** What this is done on behalf of, as `traceparent`. */
export const currentTrace = (): string | undefined => contexts.getStore()

/** Of the trace that begins with a run, in 32 hexadecimal digits: its UUID. */
export const traceIdOf = (runId: string): string => uuidOfId(runId) ?? hash('sha256', runId).slice(0, 32)
/** Of the span of a run or a call, in 16 hexadecimal digits: the random half of its UUID. */
export const spanIdOf = (id: string): string => (uuidOfId(id) ?? hash('sha256', id)).slice(-16)
