import type { Schemas } from 'agent-platform-client'

export type Definition = Schemas['WorkflowDefinition']
export type Step = Schemas['WorkflowStep']

/** A way from a step to one that comes after it. */
export interface Way {
  readonly from: string
  readonly to: string
  /** Left out for `dependsOn`. */
  readonly label?: string
}
/** A step, and those around it. */
export interface PlacedStep {
  readonly step: Step
  readonly depth: number
  readonly beside: readonly Step[]
}

/** Steps inside of a `parallel` or `forEach`. */
export const insideOf = ({ type, config }: Step): readonly Step[] =>
  (type === 'parallel' || type === 'forEach') && Array.isArray(config?.steps) ? (config.steps as Step[]) : []

/** All steps, each before those inside of it. */
export const placedSteps = (steps: readonly Step[], depth = 0): readonly PlacedStep[] =>
  steps.flatMap((step) => [{ step, depth, beside: steps }, ...placedSteps(insideOf(step), depth + 1)])

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.filter((it) => typeof it === 'string')
    : typeof value === 'string'
      ? [value]
      : []

/** What leads where, among steps that are there. */
export function waysOf(steps: readonly Step[]): readonly Way[] {
  const ways: Way[] = []
  for (const step of steps) {
    const { id, dependsOn = [], config = {}, onError, type } = step
    for (const from of dependsOn) ways.push({ from, to: id })
    if (type === 'condition') {
      for (const to of texts(config.then)) ways.push({ from: id, to, label: 'then' })
      for (const to of texts(config.else)) ways.push({ from: id, to, label: 'else' })
    }
    if (type === 'approval' && typeof config.onReject === 'string' && config.onReject !== 'fail')
      ways.push({ from: id, to: config.onReject, label: 'rejected' })
    if (typeof onError === 'object') ways.push({ from: id, to: onError.step, label: 'on error' })
  }
  for (const step of steps) {
    const inside = insideOf(step)
    const within = waysOf(inside)
    const entered = new Set(within.map(({ to }) => to))
    for (const { id } of inside) if (!entered.has(id)) ways.push({ from: step.id, to: id, label: 'inside' })
    ways.push(...within)
  }
  const known = new Set(placedSteps(steps).map(({ step }) => step.id))
  return ways.filter(({ from, to }) => known.has(from) && known.has(to))
}

/** A part of a definition that is another one in a later one; undefined where it has it not. */
export interface Difference {
  readonly name: string
  readonly before: unknown
  readonly after: unknown
}

/** In which parts they differ: steps, by their ids, without those inside of them; schema of the input, and output. */
export function differencesOf(before: Definition, after: Definition): readonly Difference[] {
  const parts = ({ steps, inputSchema, output }: Definition) =>
    new Map<string, unknown>([
      ['Schema of the input', inputSchema],
      ['Output', output],
      ...placedSteps(steps).map(({ step }) => [`Step ${step.id}`, withoutInside(step)] as const)
    ])
  const [old, now] = [parts(before), parts(after)]
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }))
    .filter((it) => JSON.stringify(it.before) !== JSON.stringify(it.after))
}

const withoutInside = (step: Step): unknown => {
  if (insideOf(step).length === 0) return step
  return { ...step, config: { ...step.config, steps: insideOf(step).map(({ id }) => id) } }
}

/** The same steps with one of them changed, wherever it lies. */
export const changeStep = (steps: readonly Step[], id: string, change: (step: Step) => Step): Step[] =>
  steps.map((step) => {
    if (step.id === id) return change(step)
    const inside = insideOf(step)
    return inside.length === 0
      ? step
      : { ...step, config: { ...step.config, steps: changeStep(inside, id, change) } }
  })

const without = (ids: readonly string[] | undefined, id: string) => ids?.filter((it) => it !== id)

/** The same steps without one of them, and without what names it. */
export const removeStep = (steps: readonly Step[], id: string): Step[] =>
  steps
    .filter((step) => step.id !== id)
    .map((step) => {
      const { dependsOn, onError, config, ...rest } = step
      const inside = insideOf(step)
      const { then, else: otherwise, onReject, ...others } = config ?? {}
      return {
        ...rest,
        ...(dependsOn && { dependsOn: without(dependsOn, id) }),
        ...(onError && !(typeof onError === 'object' && onError.step === id) && { onError }),
        ...(config && {
          config: {
            ...others,
            ...(then !== undefined && { then: Array.isArray(then) ? without(then, id) : then }),
            ...(otherwise !== undefined && {
              else: Array.isArray(otherwise) ? without(otherwise, id) : otherwise
            }),
            ...(onReject !== undefined && onReject !== id && { onReject }),
            ...(inside.length > 0 && { steps: removeStep(inside, id) })
          }
        })
      }
    })

/** `to` comes after `from`; the same steps where they do not stand side by side. */
export function connect(steps: readonly Step[], from: string, to: string): Step[] {
  const target = placedSteps(steps).find(({ step }) => step.id === to)
  if (from === to || !target?.beside.some(({ id }) => id === from)) return [...steps]
  return changeStep(steps, to, (step) => ({
    ...step,
    dependsOn: [...new Set([...(step.dependsOn ?? []), from])]
  }))
}

/** An id that no step has. */
export function freeId(steps: readonly Step[], type: string): string {
  const taken = new Set(placedSteps(steps).map(({ step }) => step.id))
  const base = /^[A-Za-z][A-Za-z0-9_]{0,58}$/.test(type) ? type : 'step'
  let id: string = base
  for (let count = 2; taken.has(id); count++) id = `${base}${count}`
  return id
}

/** Which step a JSON pointer of a refusal leads to, as `/definition/steps/2/config/steps/0/id`. */
export function stepAtPointer(steps: readonly Step[], pointer: string): string | undefined {
  const [, definition, ...rest] = pointer.split('/')
  if (definition !== 'definition') return undefined
  let among = steps
  let found: Step | undefined
  for (let at = 0; at < rest.length; ) {
    if (rest[at] === 'config') at++
    const step: Step | undefined = rest[at] === 'steps' ? among[Number(rest[at + 1])] : undefined
    if (!step) break
    found = step
    among = insideOf(step)
    at += 2
  }
  return found?.id
}
