import { invalid } from 'agent-platform'
import type { OrderedMessage, RunOrder } from '../../runs/contract.ts'
import type { Given } from './content.ts'
import { isObject, unsupported } from './content.ts'
import { readToolChoice } from './tool-choice.ts'

/** A request in the platform's words. */
export interface Heard extends Pick<RunOrder, 'cliTools' | 'cliContext' | 'answerSchema' | 'options'> {
  readonly messages: readonly OrderedMessage[]
  readonly given: readonly Given[]
  /** What the client's tools gave, where the request ends with that. */
  readonly results: Results | undefined
}

/** Of the calls of one reply. */
export interface Results {
  readonly outputs: readonly { readonly callId: string; readonly output: string }[]
  /** What had been asked when they were called for; undefined where that is not sent again. */
  readonly before: readonly unknown[] | undefined
}

type Json = Readonly<Record<string, unknown>>

/** The client's functions that may be called, and whether one must be. */
export function readTools(tools: unknown, choice: unknown, fieldsOf: (tool: Json, param: string) => Json) {
  const list = tools === undefined || tools === null ? [] : tools
  if (!Array.isArray(list)) throw invalid('/tools', '/tools must be a list')
  const cliTools = list.map((tool, index) => {
    const param = `/tools/${index}`
    if (!isObject(tool)) throw invalid(param, `${param} must be an object`)
    if (tool.type !== 'function')
      throw unsupported(`${param}/type`, 'Other tools than functions, which are the agent’s own,')
    const { name, description, parameters } = fieldsOf(tool, param)
    if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
      throw invalid(`${param}/name`, 'The name of a function has 1 to 64 letters, digits, _ and -')
    return {
      name,
      ...(typeof description === 'string' && { description }),
      ...(isObject(parameters) && { parameters: parameters as Record<string, unknown> })
    }
  })
  const { toolChoice, allowed } = readToolChoice(choice, new Set(cliTools.map(({ name }) => name)))
  const offered = allowed ? cliTools.filter(({ name }) => allowed.has(name)) : cliTools
  return { cliTools: offered.length > 0 ? offered : undefined, toolChoice }
}

/** The schema of the answer that a format asks for. */
export function readFormat(format: unknown, param: string, schemaOf: (format: Json) => unknown) {
  if (format === undefined || format === null) return undefined
  if (!isObject(format)) throw invalid(param, `${param} must be an object`)
  if (format.type === 'text') return undefined
  if (format.type === 'json_object') return { type: 'object' }
  if (format.type !== 'json_schema') throw unsupported(`${param}/type`, 'Formats other than text and JSON')
  const schema = schemaOf(format)
  if (!isObject(schema)) throw invalid(param, `${param} has no schema`)
  return schema
}

/** Arguments as they came: JSON where they are that. */
export function parsedArgs(text: unknown): unknown {
  if (typeof text !== 'string') return {}
  try {
    return JSON.parse(text)
  } catch {
    return { arguments: text }
  }
}
