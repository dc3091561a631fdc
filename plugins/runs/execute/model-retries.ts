import type { ModelFailure } from '../../models/contract.ts'
import type { RunSettings } from '../settings.ts'

/** Milliseconds before the second try where the provider names none, doubled for each further one. */
const BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 30_000
/** What is added to a wait that the provider named, at most: others wait for the same moment. */
const SPREAD_MS = 1_000

interface Deps {
  readonly settings: Pick<RunSettings, 'modelRetries' | 'modelPatienceSeconds'>
  /** The run has called tools: more is lost with it than its first answer. */
  readonly hasWorked: boolean
  /** Milliseconds that the run may still take. */
  readonly left: () => number
}

/** When a call of the model that failed is made again. */
export type Retry =
  | { readonly afterMs: number }
  /** Not again; `tooLong`: the provider names a wait that ends after the run does. */
  | { readonly afterMs: undefined; readonly tooLong: boolean }

/** How often, and after which waits, one call of the model is repeated. */
export function createModelRetries({ settings, hasWorked, left }: Deps) {
  const { modelRetries, modelPatienceSeconds } = settings
  let tries = 0
  let firstFailedAt: number | undefined

  const isPatient = (now: number) =>
    hasWorked && modelRetries > 0 && now - (firstFailedAt ?? now) < modelPatienceSeconds * 1_000

  return function next({ isPassing, waitMs }: Pick<ModelFailure, 'isPassing' | 'waitMs'>): Retry {
    const now = performance.now()
    firstFailedAt ??= now
    if (!isPassing || (tries >= modelRetries && !isPatient(now)))
      return { afterMs: undefined, tooLong: false }
    const backoff = Math.min(BACKOFF_MS * 2 ** tries++, LONGEST_BACKOFF_MS)
    const afterMs =
      waitMs === undefined || waitMs < BACKOFF_MS
        ? Math.max(waitMs ?? 0, backoff / 2 + (Math.random() * backoff) / 2)
        : waitMs + Math.random() * Math.min(waitMs / 10, SPREAD_MS)
    return afterMs < left() ? { afterMs } : { afterMs: undefined, tooLong: waitMs !== undefined }
  }
}
