import type { Edge } from '../graph.ts'
import { edgesOf, isReached } from '../graph.ts'
import type { Step } from '../schemas/definition.ts'
import type { StepRow } from './journal.ts'
import { isOpen } from './journal.ts'

const REJECTIONS = new Set(['rejected', 'approval_expired'])
/** An edge, with the step that it comes from. */
type Incoming = Edge & { readonly step: Step }
const known = new WeakMap<readonly Step[], ReadonlyMap<string, readonly Incoming[]>>()

/** What comes before each of the steps that have something before them. */
function incomingOf(steps: readonly Step[]): ReadonlyMap<string, readonly Incoming[]> {
  const found = known.get(steps)
  if (found) return found
  const byId = new Map(steps.map((step) => [step.id, step]))
  const edges = edgesOf(steps).map((edge) => ({ ...edge, step: byId.get(edge.from) as Step }))
  const incoming = Map.groupBy(edges, ({ to }) => to)
  known.set(steps, incoming)
  return incoming
}

/** Where a failed step leads: to the failure of all around it, past itself, or to the steps that take care of it. */
export function routeOf({ type, config = {}, onError = 'fail' }: Step, { error }: StepRow) {
  const { onReject } = config
  if (type === 'approval' && REJECTIONS.has(error?.code ?? '') && onReject !== undefined)
    return onReject === 'fail' ? 'fail' : 'rejected'
  return typeof onError === 'object' ? 'failed' : onError
}

/** Whether the execution comes along there: `open` while that is not known. */
function stateOf({ when, step }: Incoming, row: StepRow | undefined): 'open' | 'live' | 'dead' {
  const as = (holds: boolean) => (holds ? 'live' : 'dead')
  if (!row || isOpen(row)) return 'open'
  if (row.status === 'failed') {
    const route = routeOf(step, row)
    if (route === 'fail') return 'dead'
    return as(route === (when === 'ended' ? 'continue' : when))
  }
  if (row.status !== 'completed') return 'dead'
  if (when === 'then' || when === 'else') return as(row.output === (when === 'then'))
  return as(when === 'ended')
}

/**
 * What is to be done with a step that has not begun. It is `ready` when all before it have ended and the execution comes
 * along from one of them; `skipped` when it comes from none, when a condition took the other branch, or when there is
 * nothing of what it was to take care of.
 */
export function readinessOf(
  steps: readonly Step[],
  id: string,
  rowOf: (id: string) => StepRow | undefined
): 'open' | 'ready' | 'skipped' {
  const states = (incomingOf(steps).get(id) ?? []).map((edge) => ({
    ...edge,
    state: stateOf(edge, rowOf(edge.from))
  }))
  if (states.some(({ state }) => state === 'open')) return 'open'
  return isReached(states, ({ state }) => state === 'live') ? 'ready' : 'skipped'
}

/** Those after which none comes. */
export function lastOf(steps: readonly Step[]): readonly Step[] {
  const before = new Set(edgesOf(steps).map(({ from }) => from))
  return steps.filter(({ id }) => !before.has(id))
}

/** Those that come before the step, directly or not. */
export function ancestorsOf(steps: readonly Step[], id: string): ReadonlySet<string> {
  const incoming = incomingOf(steps)
  const found = new Set<string>()
  const visit = (at: string) => {
    for (const { from } of incoming.get(at) ?? [])
      if (!found.has(from)) {
        found.add(from)
        visit(from)
      }
  }
  visit(id)
  return found
}
