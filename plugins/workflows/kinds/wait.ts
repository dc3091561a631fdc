import { StepFailure } from '../executions/journal.ts'
import type { Kind } from './kind.ts'

/** A duration, a moment, or something from outside. */
export const createWaitKind = (longestSeconds: number): Kind => ({
  async begin({ config, row, step }) {
    const { seconds, until, event, timeoutSeconds = longestSeconds } = config
    if (event !== undefined) {
      const deadline = after(timeoutSeconds, 'timeoutSeconds', longestSeconds)
      const fields = { stepId: step.id, path: row.path, event, deadline: deadline.toISOString() }
      return { waits: { deadline, awaits: true, events: [{ type: 'event_request', fields }] } }
    }
    if (seconds !== undefined) return { waits: { deadline: after(seconds, 'seconds', longestSeconds) } }
    const moment = new Date(String(until))
    if (Number.isNaN(moment.getTime())) throw invalid('until must be a time in ISO 8601')
    if (moment.getTime() > Date.now() + longestSeconds * 1_000) throw invalid('until is too far ahead')
    // What is past is over, however long ago: the record takes no moment of another era.
    return { waits: { deadline: new Date(Math.max(moment.getTime(), Date.now())) } }
  },

  async resume({ row, config }) {
    if (config.event === undefined) return { output: null }
    const decision = row.decisions?.at(-1)
    if (!decision) throw new StepFailure('timed_out', `${config.event} did not come in time`, { final: true })
    if (decision.decision === 'reject')
      throw new StepFailure('rejected', decision.comment ?? 'It was rejected', { final: true })
    return { output: decision.data }
  }
})

const invalid = (message: string) => new StepFailure('invalid_config', message, { final: true })

/** So many seconds from now. */
export function after(seconds: unknown, name: string, longest: number): Date {
  if (typeof seconds !== 'number' || !(seconds >= 0) || seconds > longest)
    throw invalid(`${name} must be a number from 0 to ${longest}`)
  return new Date(Date.now() + seconds * 1_000)
}
