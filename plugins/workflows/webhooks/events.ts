import { invalid } from 'agent-platform'
import type { EventRequest } from '../schemas/events.ts'

/** An event that a delivery is: for an execution, or for the one that waits for its key. */
export interface WebhookEvent extends EventRequest {
  readonly executionId?: string
}

const LONGEST = 200

/** What the template of a webhook made of a delivery; undefined where it is no event. 400 for one without a receiver. */
export function eventOf(made: unknown, body: unknown): WebhookEvent | undefined {
  const { event, executionId, key, data = body } = Object(made) as Readonly<Record<string, unknown>>
  if (event === undefined || event === null || event === '') return undefined
  const labels = Object.entries({ event, executionId, key }).filter(
    ([, value]) => (value ?? undefined) !== undefined
  )
  for (const [name, value] of labels)
    if (typeof value !== 'string' || value === '' || value.length > LONGEST)
      throw invalid('', `${name} of the event must be text of 1 to ${LONGEST} characters`)
  if ((executionId ?? key ?? undefined) === undefined)
    throw invalid('', 'The event has neither an executionId nor a key')
  return { ...Object.fromEntries(labels), data } as unknown as WebhookEvent
}
