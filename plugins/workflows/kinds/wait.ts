import { addressOf } from '../events/awaiting.ts'
import type { KeptEvents } from '../events/kept-events.ts'
import { StepFailure } from '../executions/journal.ts'
import type { Attempt, Kind, Waiting } from './kind.ts'

/** Of events and their keys. */
const LONGEST_LABEL = 200

/** A duration, a moment, or an event from outside. */
export const createWaitKind = (longestSeconds: number, { take, takenBy }: KeptEvents): Kind => ({
  async begin(attempt) {
    const { seconds, until, event } = attempt.config
    if (event !== undefined) return waitForEvent(attempt, longestSeconds)
    if (seconds !== undefined) return { waits: { deadline: after(seconds, 'seconds', longestSeconds) } }
    const moment = new Date(String(until))
    if (Number.isNaN(moment.getTime())) throw invalid('until must be a time in ISO 8601')
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
  const { event, timeoutSeconds = longestSeconds } = config
  // One whose expression has no value is no key, and not the lack of one.
  const key = config.key ?? (step.config?.key === undefined ? null : '')
  if (!isLabel(event)) throw invalid(`event must be text of 1 to ${LONGEST_LABEL} characters`)
  if (key !== null && !isLabel(key)) throw invalid(`key must be text of 1 to ${LONGEST_LABEL} characters`)
  const deadline = after(timeoutSeconds, 'timeoutSeconds', longestSeconds)
  const fields = { stepId: step.id, path: row.path, event, key, deadline: deadline.toISOString() }
  const { id, workflowId } = live.row
  const ref = key === null ? addressOf(id, event) : addressOf(workflowId, event, key)
  return { waits: { ref, deadline, awaits: true, events: [{ type: 'event_request', fields }] } }
}

const isLabel = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= LONGEST_LABEL

const invalid = (message: string) => new StepFailure('invalid_config', message, { final: true })

/** So many seconds from now. */
export function after(seconds: unknown, name: string, longest: number): Date {
  if (typeof seconds !== 'number' || !(seconds >= 0) || seconds > longest)
    throw invalid(`${name} must be a number from 0 to ${longest}`)
  return new Date(Date.now() + seconds * 1_000)
}
