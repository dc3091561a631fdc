import type { RunSettings } from '../settings.ts'
import type { CallRow, StepRow } from '../stores/steps.ts'
import { RunFailure } from './failures.ts'
import type { Live } from './live-runs.ts'

type Limits = Pick<RunSettings, 'loopHintAfter' | 'loopEndAfter'>

interface Repeated {
  readonly call: CallRow
  readonly failures: number
}

/**
 * Counts how often calls have failed with the same arguments while no call succeeded: a call that succeeds in between may
 * have changed what the next one meets. The call of the latest step that has failed most often.
 */
function countFailures(steps: readonly StepRow[], hintAfter: number): Repeated | undefined {
  const counts = new Map<string, number>()
  let worst: Repeated | undefined
  for (const { calls } of steps) {
    worst = undefined
    if (calls.some(({ isError }) => isError === false)) {
      counts.clear()
      continue
    }
    const seen = new Set<string>()
    for (const call of calls) {
      const key = `${call.toolName} ${JSON.stringify(sorted(call.args))}`
      // Calls of one reply were made without knowing of each other.
      if (seen.has(key)) continue
      seen.add(key)
      const failures = (counts.get(key) ?? 0) + 1
      counts.set(key, failures)
      if (hintAfter > 0 && failures >= hintAfter) call.failures = failures
      if (!worst || failures > worst.failures) worst = { call, failures }
    }
  }
  return worst
}

/** Tells the readers of a run that its model repeats a failing call, and ends the run when it does not stop. */
export function checkLoop({ steps, writer, announced }: Live, { loopHintAfter, loopEndAfter }: Limits): void {
  if (loopHintAfter === 0 && loopEndAfter === 0) return
  const worst = countFailures(steps, loopHintAfter)
  if (!worst) return
  const { call, failures } = worst
  const { id: callId, step, toolName } = call
  if (loopEndAfter > 0 && failures >= loopEndAfter)
    throw new RunFailure(
      'upstream',
      'loop_detected',
      `The run was ended because the call of ${toolName} failed ${failures} times in a row with the same arguments (RUN_LOOP_END_AFTER)`
    )
  // The event of a step that is asked for again is there already.
  if (loopHintAfter > 0 && failures >= loopHintAfter && !announced)
    writer.append('loop_detected', { step, callId, toolName, failures })
}

/** For the model, after the result of a call that it repeats. */
export const loopHint = (failures: number): string =>
  `\n[loop_detected: this call has failed ${failures} times in a row with the same arguments. Do not repeat it unchanged: change the arguments, use another tool, or say what prevents you.]`

/** The same for objects that differ in the order of their fields. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(sorted)
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return fields.map(([name, field]) => [name, sorted(field)])
}
