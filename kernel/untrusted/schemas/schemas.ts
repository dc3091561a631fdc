import type { Asker } from '../workers/turns.ts'
import { createWorkerLane } from '../workers/worker-lane.ts'
import { threadOf } from '../workers/worker-start.ts'
import type { SchemaFault } from './json-schema.ts'
import { plainCheckOf } from './plain-schema.ts'
import type { Question, Verdict } from './worker.ts'

/** In characters of JSON; what is longer does not stand before what is short. */
const SHORT = 4_096
const COMPILING_MS = { short: 200, long: 1_000 } as const
const CHECKING_MS = 100
const createLane = () =>
  createWorkerLane<Question, Verdict>({
    start: threadOf(new URL('./worker.ts', import.meta.url), { memoryMb: 192 }),
    lost: () => ({ fault: { at: '', text: 'takes too much to be checked' } }),
    tooMany: 'Too many schemas are being checked',
    most: { ofOwner: 128, ofProject: 512 }
  })
/** Of this process. They start when they are first asked, and keep it from no end. */
const lanes = { short: createLane(), long: createLane() }

async function ask(by: Asker, text: string, value?: string, signal?: AbortSignal) {
  const lane = text.length + (value?.length ?? 0) > SHORT ? 'long' : 'short'
  const limits = { compiling: COMPILING_MS[lane], checking: CHECKING_MS }
  const question = { schema: text, ...(value !== undefined && { value }), ...limits }
  return (await lanes[lane].ask(by, question, signal)).fault
}

/**
 * What is wrong with a JSON Schema (2020-12 or draft-07) that a stranger wrote. It is compiled by a worker thread, within
 * a second of the processor, askers by turns: no schema holds the event loop. Rejects with 429 where too many of the
 * asker's wait, and with the signal's reason.
 */
export const examineSchema = (
  by: Asker,
  schema: object,
  signal?: AbortSignal
): Promise<SchemaFault | undefined> => ask(by, JSON.stringify(schema), undefined, signal)

/**
 * What is wrong with a value by a schema that a stranger wrote; also that it cannot be checked in time. The same worker,
 * but for what is short and plain: asking another thread takes longer than that.
 */
export async function examineValue(
  by: Asker,
  schema: object,
  value: unknown,
  signal?: AbortSignal
): Promise<SchemaFault | undefined> {
  signal?.throwIfAborted()
  const [text, json] = [JSON.stringify(schema), JSON.stringify(value) ?? 'null']
  const check = plainCheckOf(schema, text, json)
  return check ? check(JSON.parse(json)) : ask(by, text, json, signal)
}
