import type { Definition, Step } from '../schemas/definition.ts'
import { stepTypeOf } from '../schemas/steps.ts'

const known = new WeakMap<Definition, string | null>()

/** What of a definition a fork has left out and that is still missing, in words; null where there is nothing. */
export function unfilledIn(definition: Definition): string | null {
  const found = known.get(definition)
  if (found !== undefined) return found
  const missing = missingIn(definition.steps) ?? null
  known.set(definition, missing)
  return missing
}

function missingIn(steps: readonly Step[]): string | undefined {
  for (const step of steps) {
    const { id, compensation } = step
    const name = missingOf(step) ?? (compensation && missingOf(compensation))
    if (name !== undefined) return `Step ${id}: ${name} is left out of this copy, and has to be filled in`
    const inside = missingIn((step.config?.steps ?? []) as readonly Step[])
    if (inside !== undefined) return inside
  }
  return undefined
}

function missingOf({ type, config = {} }: Pick<Step, 'type' | 'config'>): string | undefined {
  const { required = [] } = (stepTypeOf(type)?.config ?? {}) as { readonly required?: readonly string[] }
  return required.find((name) => config[name] === undefined)
}
