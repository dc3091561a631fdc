import { Compile } from 'typebox/schema'
import { AppError } from '../errors.ts'

const compiled = new WeakMap<object, ReturnType<typeof Compile>>()

/** What of the value does not fit the JSON Schema, in words; undefined where nothing is wrong. */
export function faultOf(schema: object, value: unknown): string | undefined {
  const validator = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, validator)
  const [isFit, [first]] = validator.Errors(value)
  return isFit ? undefined : `${first?.instancePath ?? ''} ${first?.message ?? 'does not fit'}`.trim()
}

/** Refuses what does not fit, as the platform does before a call. */
export function refuseUnfit(schema: object, value: unknown, where: string): void {
  const fault = faultOf(schema, value)
  if (fault !== undefined) throw new AppError('invalid_request_error', `${where}: ${fault}`)
}
