import { modelFailureOf } from './model-failure.ts'
import { vendorErrorIn, vendorErrorOf } from './vendor-error.ts'

/** A part of a request that a model does not accept. */
export interface Rejected {
  readonly name: string
  /** It is the parameter that is not accepted, and not its value: later requests would be refused for the same. */
  readonly isLasting: boolean
}

/** Characters of a refusal that are looked at. */
const LOOKED_AT = 8_192
/** Words of ordinary sentences: as names of parameters they stand in quotes. */
const ambiguous = new Set([
  'stop',
  'seed',
  'user',
  'store',
  'tools',
  'metadata',
  'functions',
  'reasoning',
  'thinking',
  'n'
])
const unsupported = [
  'support',
  'unknown',
  'unrecognized',
  'unexpected',
  'not permitted',
  'not allowed',
  'not available',
  'unavailable',
  'deprecated',
  'extra inputs',
  'only the default',
  'no longer',
  'not enabled',
  'requires --'
]
const noTools = [
  'not support tool',
  'not support function',
  'tool use is not supported',
  'support tool use',
  'tool calling is not supported',
  'function calling is not enabled',
  'function calling is not supported',
  'tools is not supported',
  'tools are not supported',
  'tool choice requires'
]
const noSystem = [
  'system role not supported',
  'system role is not supported',
  'system messages are not supported',
  'system message is not supported',
  "does not support 'system'",
  'not support system',
  'developer instruction is not enabled'
]

/** What of a refusal tells which part of the request it is about. */
export interface Refusal {
  /** In small letters. */
  readonly said: string
  /** The parameter that the vendor names. */
  readonly param: string | undefined
}

/** Undefined for an error that is no refusal of a part of the request. */
export function refusalOf(error: unknown): Refusal | undefined {
  const { class: name } = modelFailureOf(error)
  if (name !== 'parameter_rejected' && name !== 'model_not_found') return undefined
  const { data, responseBody, message } = Object(error) as Record<string, unknown>
  const body = typeof responseBody === 'string' ? responseBody : ''
  const vendor = vendorErrorIn(data) ?? vendorErrorOf(body)
  const said = (vendor?.message ?? (body || String(message))).slice(0, LOOKED_AT).toLowerCase()
  // Of a model that is missing only that it lacks tools is of interest.
  if (name === 'model_not_found' && !refusesTools({ said })) return undefined
  const param = vendor?.param ?? vendorErrorOf(body)?.param
  return { said, param: param?.split(/[.[]/)[0] }
}

export const refusesTools = ({ said }: Pick<Refusal, 'said'>): boolean =>
  noTools.some((words) => said.includes(words))
export const refusesSystem = ({ said }: Pick<Refusal, 'said'>): boolean =>
  noSystem.some((words) => said.includes(words))

/** Which of the named parameters a refusal is about. */
export function rejectedBy({ said, param }: Refusal, names: readonly string[]): Rejected | undefined {
  const name =
    (param !== undefined && names.includes(param) ? param : undefined) ??
    names.find((it) => isQuoted(said, it.toLowerCase())) ??
    names.find((it) => !ambiguous.has(it) && isWord(said, it.toLowerCase()))
  return name === undefined
    ? undefined
    : { name, isLasting: unsupported.some((words) => said.includes(words)) }
}

const isQuoted = (text: string, name: string) =>
  ["'", '"', '`'].some((quote) => text.includes(`${quote}${name}${quote}`))

/** Whether a name stands in a text by itself. */
function isWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!isNamePart(text[at - 1]) && !isNamePart(text[at + name.length])) return true
  return false
}

const isNamePart = (it: string | undefined) =>
  it !== undefined && (it === '_' || (it >= 'a' && it <= 'z') || (it >= '0' && it <= '9'))
