import type { Pod } from './objects.ts'

/** Reasons for which a container waits that do not go by themselves, or not soon. */
const HOPELESS = new Set([
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'CrashLoopBackOff'
])

/** How far a pod is: it runs; it never will, and why; or it is on its way, and what it waits for. */
export type PodState =
  | { readonly is: 'running' }
  | { readonly is: 'over'; readonly reason: string }
  | { readonly is: 'starting'; readonly reason: string }

const told = (reason: string | undefined, message: string | undefined) =>
  [reason, message].filter((it) => typeof it === 'string' && it !== '').join(': ')

export function stateOf({ metadata, status = {} }: Pod): PodState {
  const state = status.containerStatuses?.[0]?.state
  const over = (reason: string): PodState => ({ is: 'over', reason })
  if (metadata?.deletionTimestamp) return over('the pod was deleted')
  if (state?.terminated)
    return over(told(state.terminated.reason, state.terminated.message) || 'the pod has ended')
  if (status.phase === 'Failed' || status.phase === 'Succeeded')
    return over(told(status.reason, status.message) || 'the pod has ended')
  if (state?.running && status.phase === 'Running') return { is: 'running' }
  const waits = told(state?.waiting?.reason, state?.waiting?.message)
  if (HOPELESS.has(state?.waiting?.reason ?? '')) return over(waits)
  const unplaced = status.conditions?.find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False'
  )
  return {
    is: 'starting',
    reason: told(unplaced?.reason, unplaced?.message) || waits || 'no node has begun it'
  }
}
