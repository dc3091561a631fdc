import type { Step } from './schemas/definition.ts'

/** That a step comes after another one: when that has ended, went that way, failed, or was rejected. */
export interface Edge {
  readonly from: string
  readonly to: string
  readonly when: 'ended' | 'then' | 'else' | 'failed' | 'rejected'
  /** JSON pointer to the name, in the step that has it: `to` where it is `ended`, else `from`. */
  readonly at: string
}

const namesAt = (ids: unknown, at: string): readonly (readonly [id: string, at: string])[] =>
  Array.isArray(ids) ? ids.map((id, index) => [String(id), `${at}/${index}`]) : []

/** To the steps that a step itself sends the execution to. */
function branchesOf({ id: from, type, config = {}, onError }: Step): readonly Edge[] {
  const { onReject } = config
  const list = (ids: unknown, when: 'then' | 'else'): Edge[] =>
    type === 'condition' ? namesAt(ids, `/config/${when}`).map(([to, at]) => ({ from, to, when, at })) : []
  return [
    ...list(config.then, 'then'),
    ...list(config.else, 'else'),
    ...(type === 'approval' && typeof onReject === 'string' && onReject !== 'fail'
      ? [{ from, to: onReject, when: 'rejected' as const, at: '/config/onReject' }]
      : []),
    ...(typeof onError === 'object'
      ? [{ from, to: onError.step, when: 'failed' as const, at: '/onError/step' }]
      : [])
  ]
}

/**
 * The order of steps that stand side by side, by their `dependsOn` and their branches; also to names that none of them has.
 * To depend on a step that has it as a branch adds nothing.
 */
export function edgesOf(steps: readonly Step[]): readonly Edge[] {
  const branches = steps.map(branchesOf)
  const named = new Set(branches.flat().map(({ from, to }) => `${from} ${to}`))
  return steps.flatMap(({ id: to, dependsOn }, index) => [
    ...namesAt(dependsOn, '/dependsOn').flatMap(([from, at]) =>
      named.has(`${from} ${to}`) ? [] : [{ from, to, when: 'ended' as const, at }]
    ),
    ...(branches[index] ?? [])
  ])
}

/**
 * Whether a step runs once all before it have ended, by whether the execution comes along each edge: along one of them, along
 * all from conditions, and along one from a failure where it is there for those.
 */
export function isReached<T extends Pick<Edge, 'when'>>(edges: readonly T[], isLive: (edge: T) => boolean) {
  if (edges.length === 0) return true
  const failures = edges.filter(({ when }) => when === 'failed' || when === 'rejected')
  return edges.filter(isGate).every(isLive) && (failures.length > 0 ? failures : edges).some(isLive)
}

/** From a condition. */
export const isGate = ({ when }: Pick<Edge, 'when'>): boolean => when === 'then' || when === 'else'
