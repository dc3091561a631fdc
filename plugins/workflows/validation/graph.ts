import type { Step } from '../schemas/definition.ts'
import type { Place, Scope } from './places.ts'
import { wrongAt } from './places.ts'

/** That a step comes after another one: `then` and `else` only if the condition goes that way. */
export interface Link {
  readonly from: Place
  readonly to: Place
  readonly when: 'ended' | 'then' | 'else' | 'failed' | 'rejected'
}
/** A name of another step, and where it stands in the step that has it. */
interface Naming {
  readonly id: string
  readonly at: string
  readonly when: Link['when']
}

/** The steps that a step names, by id. */
function namesIn({ type, dependsOn = [], config = {}, onError }: Step): readonly Naming[] {
  const list = (ids: unknown, at: string, when: Link['when']): Naming[] =>
    Array.isArray(ids) ? ids.map((id, index) => ({ id: String(id), at: `${at}/${index}`, when })) : []
  const { onReject } = config
  return [
    ...list(dependsOn, '/dependsOn', 'ended'),
    ...(type === 'condition'
      ? [...list(config.then, '/config/then', 'then'), ...list(config.else, '/config/else', 'else')]
      : []),
    ...(type === 'approval' && typeof onReject === 'string' && onReject !== 'fail'
      ? [{ id: onReject, at: '/config/onReject', when: 'rejected' as const }]
      : []),
    ...(typeof onError === 'object'
      ? [{ id: onError.step, at: '/onError/step', when: 'failed' as const }]
      : [])
  ]
}

/** The links of a scope; 400 at a name of a step that does not stand there. */
export function linksOf({ places }: Scope): readonly Link[] {
  const byId = new Map(places.map((place) => [place.step.id, place]))
  return places.flatMap((place) =>
    namesIn(place.step).map(({ id, at, when }) => {
      const named = byId.get(id)
      if (!named) throw wrongAt(place, place.at + at, `there is no step ${id} beside it`)
      return when === 'ended' ? { from: named, to: place, when } : { from: place, to: named, when }
    })
  )
}

/** The steps of a scope that come before each, directly or not; 400 at cycles and at steps that can never run. */
export function checkOrder(scope: Scope): ReadonlyMap<string, ReadonlySet<string>> {
  const links = linksOf(scope)
  const before = new Map<string, Set<string>>()
  const reached = new Map<string, boolean>()
  let left = [...scope.places]
  while (left.length > 0) {
    const next = left.filter(({ step }) =>
      links.every(({ from, to }) => to.step !== step || before.has(from.step.id))
    )
    if (next.length === 0) throw cycleAmong(left, links)
    for (const { step } of next) {
      const incoming = links.filter(({ to }) => to.step === step)
      const ids = incoming.flatMap(({ from: { step } }) => [step.id, ...(before.get(step.id) ?? [])])
      before.set(step.id, new Set(ids))
      reached.set(step.id, isReached(incoming, reached))
    }
    left = left.filter(({ step }) => !before.has(step.id))
  }
  for (const place of scope.places)
    if (!reached.get(place.step.id)) throw wrongAt(place, place.at, 'it can never be reached')
  return before
}

/** As the engine decides it: from each condition that names it the way that it goes, and from one of all that do. */
function isReached(links: readonly Link[], reached: ReadonlyMap<string, boolean>): boolean {
  if (links.length === 0) return true
  const isLive = ({ from, when }: Link) => {
    const constant = from.step.type === 'condition' ? from.step.config?.if : undefined
    const isTaken =
      typeof constant !== 'boolean' || (when === 'else' ? !constant : when !== 'then' || constant)
    return isTaken && reached.get(from.step.id) === true
  }
  const gates = links.filter(({ when }) => when === 'then' || when === 'else')
  const isBoth = gates.some(({ from, when }) => gates.some((it) => it.from === from && it.when !== when))
  return !isBoth && gates.every(isLive) && links.some(isLive)
}

/** At the first of the steps that lie on a circle of links: from any that is left, each has one before it that is left. */
function cycleAmong(left: readonly Place[], links: readonly Link[]) {
  const way = [left[0] as Place]
  for (;;) {
    const last = way.at(-1) as Place
    const link = links.find(
      ({ from, to }) => to.step === last.step && left.some(({ step }) => step === from.step)
    )
    const from = link?.from ?? last
    const start = way.indexOf(from)
    if (start < 0) {
      way.push(from)
      continue
    }
    const circle = way.slice(start).reverse()
    const [first] = left.filter((place) => circle.includes(place)) as [Place]
    const at = circle.indexOf(first)
    const names = [...circle.slice(at), ...circle.slice(0, at), first].map(({ step }) => step.id)
    return wrongAt(first, first.at, `it comes after itself: ${names.join(' → ')}`)
  }
}
