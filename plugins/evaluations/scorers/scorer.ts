import type { Principal } from 'agent-platform'
import type { ExperimentRow } from '../schemas/experiments.ts'
import type { Score, Scorer } from '../schemas/scorers.ts'
import type { ResultRow } from '../stores/results.ts'

/** What is scored, on whose behalf. */
export interface Scored {
  readonly by: Principal
  readonly experiment: ExperimentRow
  readonly row: ResultRow
  readonly output: string
  readonly signal: AbortSignal
}
export type Verdict = Omit<Score, 'scorer'>

export const MOST_REASON = 2_000
const THRESHOLD = 0.5

export const unscored = (reason: string): Verdict => ({ score: null, passed: null, reason })
export const yesNo = (passed: boolean, reason: string | null = null): Verdict => {
  return { score: passed ? 1 : 0, passed, reason }
}
export const graded = (
  score: number,
  threshold: number = THRESHOLD,
  reason: string | null = null
): Verdict => ({
  score,
  passed: score >= threshold,
  reason: reason?.slice(0, MOST_REASON) ?? null
})

/** As it is called in results. */
export const nameOf = ({ name, type }: Scorer): string => name ?? type
