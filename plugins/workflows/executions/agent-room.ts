import type { InFlight } from './in-flight.ts'
import { isOpen } from './journal.ts'
import type { Live } from './live.ts'
import type { Plan } from './plan.ts'
import { pathOf } from './scopes.ts'

/** Tokens that an agent step is taken to need until one of the execution has needed more. */
const LEAST_TOKENS = 10_000

/**
 * How many further agent steps may begin, so that with those under way they do not pass the cap, if none takes more than
 * the largest so far. One may always begin alone: whether the cap is reached is then asked of the record.
 */
export function agentRoomOf(
  { rows }: Pick<Live, 'rows'>,
  { begin }: Plan,
  inFlight: InFlight,
  maxTokens: number
): number {
  let [spent, largest, underWay] = [0, LEAST_TOKENS, 0]
  for (const row of rows.values()) {
    if (row.kind !== 'agent') continue
    const tokens = row.cost ? row.cost.inputTokens + row.cost.outputTokens : 0
    spent += tokens
    largest = Math.max(largest, tokens)
    if (isOpen(row)) underWay++
  }
  for (const { scope, step } of begin)
    if (step.type === 'agent' && !rows.has(pathOf(scope, step)) && inFlight.has(pathOf(scope, step)))
      underWay++
  const most = Math.floor((maxTokens - spent) / largest)
  return Math.max(most, 1) - underWay
}
