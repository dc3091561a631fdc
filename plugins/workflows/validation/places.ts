import { invalid } from 'agent-platform'
import { Value } from 'typebox/value'
import type { Definition } from '../schemas/definition.ts'
import { Step } from '../schemas/definition.ts'
import { stepTypeOf } from '../schemas/steps.ts'

const MAX_STEPS = 100
const MAX_DEPTH = 5
const ON_ERROR = 'onError must be fail, continue, or the id of a step as { "step": "…" }'

/** A step, and where it stands. */
export interface Place {
  readonly step: Step
  /** JSON pointer into the body of the request. */
  readonly at: string
  readonly scope: Scope
}
/** Steps that stand side by side: those of the definition, or those inside of a step. */
export interface Scope {
  readonly at: string
  readonly within?: Place
  readonly places: readonly Place[]
}

/** 400 at a step, with its id. */
export const wrongAt = ({ step }: Pick<Place, 'step'>, at: string, text: string) =>
  invalid(at, `Step ${step.id}: ${text}`)

/** All scopes of a definition, each before those inside of it; 400 for what is no step, and for an id that two have. */
export function scopesOf({ steps }: Definition): readonly Scope[] {
  const scopes: Scope[] = []
  const ids = new Set<string>()

  function open(steps: readonly unknown[], at: string, depth: number, within?: Place): void {
    const places: Place[] = []
    const scope: Scope = { at, places, ...(within && { within }) }
    scopes.push(scope)
    for (const [index, step] of steps.entries()) {
      const place = { step: stepAt(step, `${at}/${index}`, within), at: `${at}/${index}`, scope }
      const { id } = place.step
      if (ids.has(id)) throw wrongAt(place, `${place.at}/id`, 'another step has the same id')
      ids.add(id)
      if (ids.size > MAX_STEPS) throw wrongAt(place, place.at, `there are more than ${MAX_STEPS} steps`)
      places.push(place)
    }
    for (const place of places) {
      const inside = place.step.config?.steps
      if (!stepTypeOf(place.step.type)?.isContainer || !Array.isArray(inside)) continue
      if (depth === MAX_DEPTH)
        throw wrongAt(place, place.at, `steps lie ${MAX_DEPTH} deep in each other at most`)
      open(inside, `${place.at}/config/steps`, depth + 1, place)
    }
  }

  open(steps, '/definition/steps', 1)
  return scopes
}

/** The request's schema says so of the outer ones. */
function stepAt(step: unknown, at: string, within: Place | undefined): Step {
  if (!within) return step as Step
  const known = Object.keys(Step.properties)
  const unknown = Object.keys(Object(step)).find((name) => !known.includes(name))
  if (unknown !== undefined) throw wrongAt(within, `${at}/${unknown}`, `${unknown} is not known in a step`)
  const [fault] = Value.Errors(Step, step)
  if (!fault) return step as Step
  const { id } = Object(step) as Partial<Step>
  const name = typeof id === 'string' ? `the step ${id} inside` : 'the step inside'
  const [, field = ''] = fault.instancePath.split('/')
  const text = field === 'onError' ? ON_ERROR : `${field} ${fault.message}`.trim()
  throw wrongAt(within, `${at}${fault.instancePath}`, `${name}: ${text}`)
}
