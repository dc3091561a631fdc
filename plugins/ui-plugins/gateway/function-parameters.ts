import { compileSchema, invalid } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const FunctionCall = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 100 }), input: Type.Optional(Type.Unknown()) },
  { additionalProperties: false }
)
const check = compileSchema(FunctionCall)

/** What `functions.call` is given. */
export function readFunctionCall(params: unknown): { readonly name: string; readonly input: unknown } {
  const fault = check(params)
  if (fault) throw invalid(`/params${fault.at}`, `/params${fault.at} ${fault.text}`)
  const { name, input = {} } = params as Static<typeof FunctionCall>
  return { name, input }
}
