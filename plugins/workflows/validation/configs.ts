import { pointerToken } from 'agent-platform'
import type { TObject } from 'typebox'
import type { TLocalizedValidationError } from 'typebox/error'
import { Value } from 'typebox/value'

interface Fault {
  /** JSON pointer into the config. */
  readonly at: string
  readonly text: string
}
type Config = Readonly<Record<string, unknown>>

/** One that is its value, of whatever type. */
const isWhole = (text: string) => text.startsWith('{{') && text.endsWith('}}')

/** What is wrong with the config of a step in a definition, as far as no expression decides it. */
export function faultOfTemplate(type: string, schema: TObject, config: Config): Fault | undefined {
  const errors = Value.Errors(schema, config)
  const excused = errors.flatMap(({ keyword, instancePath }) => {
    const value = Value.Pointer.Get(config, instancePath)
    if (typeof value !== 'string' || !value.includes('{{')) return []
    return isWhole(value) || keyword !== 'type' ? [instancePath] : []
  })
  const isExcused = ({ keyword, instancePath }: TLocalizedValidationError) =>
    excused.some((at) => at === instancePath || (keyword === 'anyOf' && at.startsWith(instancePath)))
  return worst(errors.filter((error) => !isExcused(error))) ?? faultOfWait(type, config)
}

/** What is wrong with the config of a step that begins: what its expressions made is data, whose braces excuse nothing. */
export const faultOfConfig = (type: string, schema: TObject, config: Config): Fault | undefined =>
  worst(Value.Errors(schema, config)) ?? faultOfWait(type, config)

/** What is not known comes first: a name that was mistyped is missing as well. */
function worst(errors: readonly TLocalizedValidationError[]): Fault | undefined {
  const unknown = errors.find(({ keyword }) => keyword === 'additionalProperties')
  const error = unknown ?? errors[0]
  if (!error) return undefined
  const { keyword, instancePath, params, message } = error
  const { additionalProperties, requiredProperties } = params as Partial<Record<string, string[]>>
  const named = (names: readonly string[] = []) => `${instancePath}/${pointerToken(names[0] ?? '')}`
  if (keyword === 'additionalProperties') return { at: named(additionalProperties), text: 'is not known' }
  if (keyword === 'required') return { at: named(requiredProperties), text: 'is required' }
  return { at: instancePath, text: message }
}

/** A wait is for one thing. */
function faultOfWait(type: string, config: Config): Fault | undefined {
  if (type !== 'wait') return undefined
  const given = ['seconds', 'until', 'event'].filter((name) => config[name] !== undefined)
  if (given.length !== 1) return { at: '', text: 'must have one of seconds, until and event' }
  const ofEvent = ['timeoutSeconds', 'key', 'schema'].find((name) => config[name] !== undefined)
  if (ofEvent && config.event === undefined) return { at: `/${ofEvent}`, text: 'is for an event' }
  return undefined
}
