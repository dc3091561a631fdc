import type { Principal, SchemaCheck, SchemaFault } from 'agent-platform'
import { compileSchema, examineValue } from 'agent-platform'

/** By what arguments are checked; what a pack wrote is trusted as its code is. */
export interface Checkable {
  readonly kind: string
  readonly parameters: object
}

const MAX_TEXT = 500
/** Characters of arguments that are checked here at once, where the schema is trusted. */
const MAX_TRUSTED = 4_096

const compiled = new WeakMap<object, SchemaCheck>()

/** What is wrong with arguments, on one line and without the values themselves; undefined when nothing is. */
export async function faultOfArguments(
  by: Principal,
  { kind, parameters }: Checkable,
  args: unknown
): Promise<SchemaFault | undefined> {
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return { at: '', text: 'The arguments must be an object' }
  const isTrusted = kind === 'static' && JSON.stringify(args).length <= MAX_TRUSTED
  const fault = isTrusted ? checkOf(parameters)(args) : await examineValue(by, parameters, args)
  return fault && { at: fault.at, text: line(`${fault.at || 'The arguments'} ${fault.text}`) }
}

function checkOf(parameters: object): SchemaCheck {
  let check = compiled.get(parameters)
  if (!check) {
    check = compileSchema(parameters)
    compiled.set(parameters, check)
  }
  return check
}

const line = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ')
  return flat.length > MAX_TEXT ? `${flat.slice(0, MAX_TEXT)}…` : flat
}
