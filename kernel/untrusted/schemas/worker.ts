import { parentPort } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import { isTimeOver, timeBoxed } from '../../contract/time-box.ts'
import { faultOfSchema } from './examination.ts'
import type { SchemaCheck, SchemaFault } from './json-schema.ts'
import { compileSchema, DIALECTS } from './json-schema.ts'

/** One question at a time: whether a schema is one or, with a value, whether that one is valid for it. Both as JSON. */
export interface Question {
  readonly schema: string
  readonly value?: string
  /** Milliseconds of the processor. */
  readonly compiling: number
  readonly checking: number
}
export type Verdict = { readonly fault: SchemaFault | undefined }

const MAX_SCHEMAS = 500
const MAX_CHARACTERS = 4_000_000
const checks = new LRUCache<string, SchemaCheck>({ max: MAX_SCHEMAS, maxSize: MAX_CHARACTERS })

function examine({ schema, compiling }: Question): SchemaFault | undefined {
  try {
    return timeBoxed(compiling, () => faultOfSchema(JSON.parse(schema)))
  } catch (error) {
    return { at: '', text: isTimeOver(error) ? 'is too large a schema' : 'is no valid JSON Schema' }
  }
}

function check({ schema, value = '', compiling, checking }: Question): SchemaFault | undefined {
  let known = checks.get(schema)
  try {
    known ??= timeBoxed(compiling, () => compileSchema(JSON.parse(schema)))
  } catch {
    // One that is broken is not compiled again for each value.
    known = () => ({ at: '', text: 'cannot be checked: what they are checked by is no valid JSON Schema' })
  }
  checks.set(schema, known, { size: schema.length })
  try {
    return timeBoxed(checking, () => (known as SchemaCheck)(JSON.parse(value)))
  } catch (error) {
    return { at: '', text: isTimeOver(error) ? 'cannot be checked in time' : 'cannot be checked' }
  }
}

// What all schemas need is made now, and on nobody's time.
for (const $schema of DIALECTS) faultOfSchema({ $schema, type: 'object' })

parentPort?.on('message', (question: Question) => {
  const verdict: Verdict = { fault: question.value === undefined ? examine(question) : check(question) }
  parentPort?.postMessage(verdict)
})
