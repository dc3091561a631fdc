import { sumUsage } from 'agent-platform'
import type { Attempt } from '../kinds/kind.ts'
import type { StepRow } from './journal.ts'
import type { Live } from './live.ts'
import type { Placed } from './plan.ts'

/** What the kind of a step is given for an attempt. */
export const attemptOf = (
  live: Live,
  { scope, step }: Placed,
  row: StepRow,
  signal: AbortSignal
): Attempt => ({
  live,
  scope,
  step,
  row,
  config: row.input as Attempt['config'],
  key: `${row.id}:${row.attempt}`,
  signal,
  used(usage) {
    row.usage = sumUsage([...(row.usage ?? []), ...usage])
  }
})
