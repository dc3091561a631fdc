import type { TObject } from 'typebox'
import { Value } from 'typebox/value'

/** One that is its value, of whatever type. */
const isWhole = (text: string) => text.startsWith('{{') && text.endsWith('}}')

/** What is wrong with the config of a step, as far as no expression decides it: where, and what. */
export function faultOfConfig(
  schema: TObject,
  config: unknown
): { readonly at: string; readonly text: string } | undefined {
  const errors = Value.Errors(schema, config)
  const unknown = errors.find(({ keyword }) => keyword === 'additionalProperties')
  if (unknown) {
    const { additionalProperties: names } = unknown.params as { additionalProperties: string[] }
    return { at: `${unknown.instancePath}/${token(names[0] ?? '')}`, text: 'is not known' }
  }
  const excused = new Set(
    errors.flatMap(({ keyword, instancePath }) => {
      const value = Value.Pointer.Get(config, instancePath)
      if (typeof value !== 'string' || !value.includes('{{')) return []
      return isWhole(value) || keyword !== 'type' ? [instancePath] : []
    })
  )
  for (const { keyword, instancePath, params, message } of errors) {
    const isExcused = [...excused].some(
      (at) => at === instancePath || (keyword === 'anyOf' && at.startsWith(instancePath))
    )
    if (isExcused) continue
    if (keyword !== 'required') return { at: instancePath, text: message }
    const { requiredProperties: names } = params as { requiredProperties: string[] }
    return { at: `${instancePath}/${token(names[0] ?? '')}`, text: 'is required' }
  }
  return undefined
}

const token = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** A wait is for one thing. */
export function faultOfWait(config: Readonly<Record<string, unknown>>) {
  const given = ['seconds', 'until', 'event'].filter((name) => config[name] !== undefined)
  if (given.length !== 1) return { at: '', text: 'must have one of seconds, until and event' }
  const ofEvent = ['timeoutSeconds', 'key', 'schema'].find((name) => config[name] !== undefined)
  if (ofEvent && config.event === undefined) return { at: `/${ofEvent}`, text: 'is for an event' }
  return undefined
}
