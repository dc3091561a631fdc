import type { SchemaCheck } from 'agent-platform'
import { compileSchema } from 'agent-platform'

/** Compiled with the first value: a start of the platform, and a reload of the pack, wait for none of them. */
export function schemaCheck(schema: object): SchemaCheck {
  let check: SchemaCheck | undefined
  return (value) => {
    check ??= compileSchema(schema)
    return check(value)
  }
}
