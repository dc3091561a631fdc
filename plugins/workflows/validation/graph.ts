import type { Edge } from '../graph.ts'
import { edgesOf, isGate, isReached } from '../graph.ts'
import type { Place, Scope } from './places.ts'
import { wrongAt } from './places.ts'

/** That a step comes after another one: `then` and `else` only if the condition goes that way. */
export interface Link {
  readonly from: Place
  readonly to: Place
  readonly when: Edge['when']
}

/** The links of a scope; 400 at a name of a step that does not stand there. */
export function linksOf({ places }: Scope): readonly Link[] {
  const byId = new Map(places.map((place) => [place.step.id, place]))
  return edgesOf(places.map(({ step }) => step)).map(({ when, at, ...ids }) => {
    const [from, to] = [byId.get(ids.from), byId.get(ids.to)]
    if (from && to) return { from, to, when }
    const place = (from ?? to) as Place
    throw wrongAt(place, place.at + at, `there is no step ${from ? ids.to : ids.from} beside it`)
  })
}

/** The steps of a scope that come before each, directly or not; 400 at cycles and at steps that can never run. */
export function checkOrder(scope: Scope): ReadonlyMap<string, ReadonlySet<string>> {
  const links = linksOf(scope)
  const incoming = Map.groupBy(links, ({ to }) => to)
  const before = new Map<string, Set<string>>()
  const reached = new Map<string, boolean>()
  let left = [...scope.places]
  while (left.length > 0) {
    const next = left.filter((place) =>
      (incoming.get(place) ?? []).every(({ from }) => before.has(from.step.id))
    )
    if (next.length === 0) throw cycleAmong(left, links)
    for (const place of next) {
      const into = incoming.get(place) ?? []
      const ids = into.flatMap(({ from: { step } }) => [step.id, ...(before.get(step.id) ?? [])])
      before.set(place.step.id, new Set(ids))
      reached.set(place.step.id, canReach(into, reached))
    }
    left = left.filter(({ step }) => !before.has(step.id))
  }
  for (const place of scope.places)
    if (!reached.get(place.step.id)) throw wrongAt(place, place.at, 'it can never be reached')
  return before
}

/** As far as it is known here: by conditions that are constant, and by those that would have to go both ways. */
function canReach(links: readonly Link[], reached: ReadonlyMap<string, boolean>): boolean {
  const isLive = ({ from, when }: Link) => {
    const constant = from.step.type === 'condition' ? from.step.config?.if : undefined
    const isTaken =
      typeof constant !== 'boolean' || (when === 'else' ? !constant : when !== 'then' || constant)
    return isTaken && reached.get(from.step.id) === true
  }
  const gates = links.filter(isGate)
  const isBoth = gates.some(({ from, when }) => gates.some((it) => it.from === from && it.when !== when))
  return !isBoth && isReached(links, isLive)
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
