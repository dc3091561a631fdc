import { isTimeOver } from 'agent-platform'
import { LRUCache } from 'lru-cache'
import type { Check } from '../json-schema.ts'
import { compile, dialectOf } from '../json-schema.ts'

export type Arguments = ReturnType<typeof createArguments>

export interface Checkable {
  readonly id: string
  readonly version: number
  readonly parameters: object
}

const MAX_CHECKS = 1_000
const MAX_TEXT = 500

/** Arguments of calls, checked by their tools' parameters. */
export function createArguments() {
  const checks = new LRUCache<string, Check>({ max: MAX_CHECKS })

  function checkOf({ id, version, parameters }: Checkable): Check {
    const place = `${version} ${id}`
    let check = checks.get(place)
    if (!check) {
      check = compiled(parameters)
      checks.set(place, check)
    }
    return check
  }

  return {
    /** One line that says what is wrong, without the values themselves; undefined when nothing is. Never throws. */
    check(tool: Checkable, args: unknown): string | undefined {
      if (typeof args !== 'object' || args === null || Array.isArray(args))
        return 'The arguments must be an object'
      try {
        const fault = checkOf(tool)(args)
        return fault && line(`${fault.at || 'The arguments'} ${fault.text}`)
      } catch (error) {
        return isTimeOver(error)
          ? 'The arguments cannot be checked in time'
          : 'The arguments cannot be checked'
      }
    }
  }
}

/** One that is broken is not compiled again for each call. */
function compiled(parameters: object): Check {
  const unknown = () => ({
    at: '',
    text: 'cannot be checked: the tool’s parameters are no valid JSON Schema'
  })
  try {
    const dialect = dialectOf(parameters)
    return dialect ? compile(parameters, dialect) : unknown
  } catch {
    return unknown
  }
}

const line = (text: string): string => {
  const flat = text.replaceAll(/\s+/g, ' ')
  return flat.length > MAX_TEXT ? `${flat.slice(0, MAX_TEXT)}…` : flat
}
