import type { Step } from '../schemas/definition.ts'
import type { StepRow } from './journal.ts'
import { isOpen } from './journal.ts'

/** Why a step comes after another one: that has ended, went that way, failed, or was rejected. */
interface Edge {
  readonly from: Step
  readonly when: 'ended' | 'then' | 'else' | 'error' | 'rejected'
}

const REJECTIONS = new Set(['rejected', 'approval_expired'])
const known = new WeakMap<readonly Step[], ReadonlyMap<string, readonly Edge[]>>()

/** What comes before each of the steps: those that it names, and those that name it. */
export function edgesOf(steps: readonly Step[]): ReadonlyMap<string, readonly Edge[]> {
  const found = known.get(steps)
  if (found) return found
  const byId = new Map(steps.map((step) => [step.id, step]))
  const edges = new Map<string, Edge[]>(steps.map(({ id }) => [id, []]))
  for (const from of steps)
    for (const [when, ids] of Object.entries(branchesOf(from)))
      for (const id of ids) edges.get(id)?.push({ from, when: when as Edge['when'] })
  for (const { id, dependsOn = [] } of steps)
    for (const from of dependsOn.map((name) => byId.get(name)))
      if (from && !edges.get(id)?.some((edge) => edge.from === from))
        edges.get(id)?.push({ from, when: 'ended' })
  known.set(steps, edges)
  return edges
}

/** The steps that a step itself sends the execution to. */
function branchesOf({ type, config = {}, onError }: Step): Partial<Record<Edge['when'], readonly string[]>> {
  const list = (value: unknown) => (Array.isArray(value) ? (value as string[]) : [])
  const { onReject } = config
  return {
    ...(type === 'condition' && { then: list(config.then), else: list(config.else) }),
    ...(type === 'approval' &&
      typeof onReject === 'string' &&
      onReject !== 'fail' && { rejected: [onReject] }),
    ...(typeof onError === 'object' && { error: [onError.step] })
  }
}

/** Where a failed step leads: to the failure of all around it, past itself, or to the steps that take care of it. */
export function routeOf({ type, config = {}, onError = 'fail' }: Step, { error }: StepRow) {
  const { onReject } = config
  if (type === 'approval' && REJECTIONS.has(error?.code ?? '') && onReject !== undefined)
    return onReject === 'fail' ? 'fail' : 'rejected'
  return typeof onError === 'object' ? 'error' : onError
}

/** Whether the execution comes along there: `open` while that is not known. */
function stateOf({ from, when }: Edge, row: StepRow | undefined): 'open' | 'live' | 'dead' {
  const as = (holds: boolean) => (holds ? 'live' : 'dead')
  if (!row || isOpen(row)) return 'open'
  if (row.status === 'failed') {
    const route = routeOf(from, row)
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
  edges: readonly Edge[],
  rowOf: (id: string) => StepRow | undefined
): 'open' | 'ready' | 'skipped' {
  if (edges.length === 0) return 'ready'
  const states = edges.map((edge) => ({ ...edge, state: stateOf(edge, rowOf(edge.from.id)) }))
  if (states.some(({ state }) => state === 'open')) return 'open'
  const isLive = ({ state }: { state: string }) => state === 'live'
  const gates = states.filter(({ when }) => when === 'then' || when === 'else')
  const failures = states.filter(({ when }) => when === 'error' || when === 'rejected')
  if (!gates.every(isLive) || (failures.length > 0 && !failures.some(isLive))) return 'skipped'
  return states.some(isLive) ? 'ready' : 'skipped'
}

/** Those after which none comes. */
export function lastOf(steps: readonly Step[]): readonly Step[] {
  const before = new Set([...edgesOf(steps).values()].flatMap((edges) => edges.map(({ from }) => from)))
  return steps.filter((step) => !before.has(step))
}

/** Those that come before the step, directly or not. */
export function ancestorsOf(steps: readonly Step[], id: string): ReadonlySet<string> {
  const edges = edgesOf(steps)
  const found = new Set<string>()
  const visit = (at: string) => {
    for (const { from } of edges.get(at) ?? [])
      if (!found.has(from.id)) {
        found.add(from.id)
        visit(from.id)
      }
  }
  visit(id)
  return found
}
