import type { Principal } from 'agent-platform'
import { examineTemplate, invalid } from 'agent-platform'
import type { Definition, Step } from '../schemas/definition.ts'
import { stepTypeOf } from '../schemas/steps.ts'
import type { Place, Scope } from './places.ts'
import { wrongAt } from './places.ts'
import type { Sight } from './references.ts'
import { faultOfReference } from './references.ts'

type Before = ReadonlyMap<Scope, ReadonlyMap<string, ReadonlySet<string>>>

/** Something with expressions, and what they may refer to. */
interface Template {
  readonly place?: Place
  readonly at: string
  readonly value: unknown
  readonly sight: Sight
}

/** 400 at expressions that are none, that fail whatever the input is, or that refer to what is not there. */
export async function checkExpressions(
  by: Principal,
  definition: Definition,
  scopes: readonly Scope[],
  before: Before,
  signal: AbortSignal
): Promise<void> {
  const all = new Set(scopes.flatMap(({ places }) => places.map(({ step }) => step.id)))
  const templates = templatesOf(definition, scopes, before)
  const examined = await Promise.all(templates.map(({ value }) => examineTemplate(by, value, signal)))
  for (const [index, { place, at, sight }] of templates.entries()) {
    const { faults = [], references = [] } = examined[index] ?? {}
    const wrong = (where: string, text: string) =>
      place ? wrongAt(place, at + where, text) : invalid(at + where, `${at + where}: ${text}`)
    const [fault] = faults
    if (fault) throw wrong(fault.at, fault.text)
    for (const { at: where, path } of references) {
      const text = faultOfReference(path, sight, all)
      if (text !== undefined) throw wrong(where, text)
    }
  }
}

function templatesOf(definition: Definition, scopes: readonly Scope[], before: Before): readonly Template[] {
  const stepsOf = ({ places }: Scope, ids?: ReadonlySet<string>): [string, Step][] =>
    places.filter(({ step }) => ids?.has(step.id) ?? true).map(({ step }) => [step.id, step])
  /** What is seen around a scope: what comes before the steps that it lies in. */
  const around = ({ within }: Scope): [string, Step][] =>
    within
      ? [...around(within.scope), ...stepsOf(within.scope, before.get(within.scope)?.get(within.step.id))]
      : []
  const hasItem = ({ within }: Scope): boolean =>
    within !== undefined && (within.step.type === 'forEach' || hasItem(within.scope))
  const sightIn = (scope: Scope, own: [string, Step][], isItem = false): Sight => ({
    steps: new Map([...around(scope), ...own]),
    hasItem: isItem || hasItem(scope),
    inputSchema: definition.inputSchema
  })

  return [
    ...scopes.flatMap((scope) =>
      scope.places.flatMap((place) =>
        templatesAt(place, scope, stepsOf(scope, before.get(scope)?.get(place.step.id)))
      )
    ),
    ...scopes.flatMap((scope) => outputsOf(scope))
  ]

  function templatesAt(place: Place, scope: Scope, own: [string, Step][]): Template[] {
    const { step, at } = place
    const sight = sightIn(scope, own)
    const { compensation } = step
    return [
      { place, at: `${at}/config`, value: expressive(step.type, step.config), sight },
      ...(compensation
        ? [
            {
              place,
              at: `${at}/compensation/config`,
              value: expressive(compensation.type, compensation.config),
              sight: sightIn(scope, [...own, [step.id, step]])
            }
          ]
        : [])
    ]
  }

  /** What the steps of a scope give together sees all of them. */
  function outputsOf(scope: Scope): Template[] {
    const sight = sightIn(scope, stepsOf(scope), scope.within?.step.type === 'forEach')
    if (!scope.within) return [{ at: '/definition/output', value: definition.output, sight }]
    const { step, at } = scope.within
    if (step.type !== 'forEach') return []
    return [{ place: scope.within, at: `${at}/config/output`, value: step.config?.output, sight }]
  }
}

/** The parts of a config that are evaluated before the step is made. */
function expressive(type: string, config: Step['config'] = {}) {
  const { raw = [] } = stepTypeOf(type) ?? {}
  return Object.fromEntries(Object.entries(config).filter(([name]) => !raw.includes(name)))
}
