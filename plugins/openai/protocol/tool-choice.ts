import { invalid } from 'agent-platform'
import type { RunOptions } from '../../runs/contract.ts'
import { isObject } from './content.ts'

const param = '/tool_choice'

export interface ToolChoice {
  readonly toolChoice?: NonNullable<RunOptions['toolChoice']>
  /** The client's functions that the model is offered; undefined: all. */
  readonly allowed?: ReadonlySet<string>
}

/** Which functions the model may call, or must: as chat completions say it, and as responses do. */
export function readToolChoice(choice: unknown, names: ReadonlySet<string>): ToolChoice {
  if (choice === undefined || choice === null || choice === 'auto') return {}
  // The agent's own tools stay: only the client's functions are not called.
  if (choice === 'none') return { allowed: new Set() }
  if (choice === 'required') return { toolChoice: 'required' }
  if (!isObject(choice)) throw wrong()
  if (choice.type === 'allowed_tools') return allowedOf(choice, names)
  if (choice.type !== 'function') throw wrong()
  return { toolChoice: { tool: nameOf(choice, names, param) } }
}

function allowedOf(choice: Readonly<Record<string, unknown>>, names: ReadonlySet<string>): ToolChoice {
  const { mode, tools } = isObject(choice.allowed_tools) ? choice.allowed_tools : choice
  if ((mode !== 'auto' && mode !== 'required') || !Array.isArray(tools)) throw wrong()
  const allowed = new Set(tools.map((tool, index) => nameOf(tool, names, `${param}/tools/${index}`)))
  return { allowed, ...(mode === 'required' && { toolChoice: 'required' as const }) }
}

function nameOf(tool: unknown, names: ReadonlySet<string>, at: string): string {
  const fields = isObject(tool) && isObject(tool.function) ? tool.function : tool
  const name = isObject(fields) ? fields.name : undefined
  if (typeof name !== 'string') throw invalid(at, `${at} must have the name of a function`)
  if (!names.has(name)) throw invalid(at, `Tool choice '${name}' not found in 'tools' parameter.`)
  return name
}

const wrong = () =>
  invalid(param, `${param} must be none, auto, required, a function, or allowed_tools`, 'invalid_value')
