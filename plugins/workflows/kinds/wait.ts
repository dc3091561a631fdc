import { addressOf } from '../events/awaiting.ts'
import type { KeptEvents } from '../events/kept-events.ts'
import { StepFailure } from '../executions/journal.ts'
import type { Attempt, Kind, Waiting } from './kind.ts'

/** A duration, a moment, or an event from outside. */
export const createWaitKind = (longestSeconds: number, { take, takenBy }: KeptEvents): Kind => ({
  async begin(attempt) {
    const { seconds, until, event } = attempt.config
    if (event !== undefined) return waitForEvent(attempt, longestSeconds)
    if (seconds !== undefined) return { waits: { deadline: after(seconds, 'seconds', longestSeconds) } }
    const moment = new Date(String(until))
    // A leap second fits the format.
    if (Number.isNaN(moment.getTime())) throw invalid('until must be a time that there is')
    if (moment.getTime() > Date.now() + longestSeconds * 1_000) throw invalid('until is too far ahead')
    // What is past is over, however long ago: the record takes no moment of another era.
    return { waits: { deadline: new Date(Math.max(moment.getTime(), Date.now())) } }
  },

  // It may have come ahead of the step.
  hasEnded: async (attempt) => attempt.config.event !== undefined && take(attempt),

  async resume(attempt) {
    const { row, config } = attempt
    if (config.event === undefined) return { output: null }
    const event = await takenBy(attempt)
    if (event) return { output: event.data }
    const decision = row.decisions?.at(-1)
    if (!decision) throw new StepFailure('timed_out', `${config.event} did not come in time`, { final: true })
    if (decision.decision === 'reject')
      throw new StepFailure('rejected', decision.comment ?? 'It was rejected', { final: true })
    return { output: decision.data }
  }
})

function waitForEvent({ live, config, row, step }: Attempt, longestSeconds: number): Waiting {
  const { key = null, timeoutSeconds = longestSeconds } = config as {
    readonly key?: string
    readonly timeoutSeconds?: number
  }
  const event = String(config.event)
  // One whose expression has no value is no key, and not the lack of one.
  if (key === null && step.config?.key !== undefined) throw invalid('key has no value')
  const deadline = after(timeoutSeconds, 'timeoutSeconds', longestSeconds)
  const fields = { stepId: step.id, path: row.path, event, key, deadline: deadline.toISOString() }
  const { id, workflowId } = live.row
  const ref = key === null ? addressOf(id, event) : addressOf(workflowId, event, key)
  return { waits: { ref, deadline, awaits: true, events: [{ type: 'event_request', fields }] } }
}

const invalid = (message: string) => new StepFailure('invalid_config', message, { final: true })

/** So many seconds from now, as far as this deployment waits. */
export function after(seconds: unknown, name: string, longest: number): Date {
  const given = Number(seconds)
  if (given > longest) throw invalid(`${name} must not be more than ${longest}`)
  return new Date(Date.now() + given * 1_000)
}
