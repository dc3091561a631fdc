import { createHash } from 'node:crypto'
import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/client'
import { timeBoxed } from 'agent-platform'
import type { ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { LRUCache } from 'lru-cache'

const MOST_CHARACTERS = 65_536
const COMPILE_MS = 500
const CHECK_MS = 250
const options = { strict: false, validateSchema: false, inlineRefs: false, logger: false } as const

const compiled = new LRUCache<string, ValidateFunction>({ max: 500 })

/** Checks what tools give against what their servers promised, schema and value both being a stranger's. */
export const validator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const check = compile(schema)
    return (input) => {
      let fault: string | undefined
      try {
        if (timeBoxed(CHECK_MS, () => check(input)))
          return { valid: true, data: input as T, errorMessage: undefined }
        const [error] = check.errors ?? []
        fault = `${error?.instancePath || 'it'} ${error?.message}`
      } catch {
        fault = 'it takes too long to check'
      }
      return { valid: false, data: undefined, errorMessage: fault.slice(0, 200) }
    }
  }
}

function compile(schema: JsonSchemaType): ValidateFunction {
  const text = JSON.stringify(schema)
  if (text.length > MOST_CHARACTERS) throw new Error('too large')
  const key = createHash('sha256').update(text).digest('base64')
  const known = compiled.get(key)
  if (known) return known
  const check = timeBoxed(COMPILE_MS, () => {
    // An instance each: schemas with the same id of two servers are not the same.
    const ajv = isDraft7(schema) ? new Ajv(options) : new Ajv2020(options)
    formats.default(ajv)
    return ajv.compile(JSON.parse(text))
  })
  compiled.set(key, check)
  return check
}

const isDraft7 = (schema: JsonSchemaType): boolean =>
  typeof schema === 'object' && /draft-0[67]/.test(String((schema as { $schema?: unknown }).$schema))
