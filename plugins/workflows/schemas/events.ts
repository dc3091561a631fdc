import { Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Label = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

export const EventRequest = Type.Object(
  {
    event: Label('The name that the step waits for'),
    key: Type.Optional(Label('That of the step, where it waits for a key')),
    data: Type.Optional(Type.Unknown({ description: 'As the `schema` of the step has it; its output' }))
  },
  {
    title: 'EventRequest',
    additionalProperties: false,
    examples: [{ event: 'paid', data: { amount: 40, currency: 'EUR' } }]
  }
)
export const ReceivedEvent = Type.Object(
  {
    id: Type.String({ examples: ['event_01k4qz0000e0080000000000ab'] }),
    workflowId: Type.String(),
    executionId: OrNull(
      Type.String({ description: 'Null while it is kept for the first that waits for its key' })
    ),
    event: Type.String(),
    key: OrNull(Type.String()),
    taken: Type.Boolean({
      description: 'A step goes on with it; else it is kept for one that will wait for it'
    }),
    createdAt: Time
  },
  { title: 'ReceivedEvent' }
)
export type EventRequest = Static<typeof EventRequest>
export type ReceivedEvent = Static<typeof ReceivedEvent>

export const sendEvent = {
  tags: ['workflows'],
  summary: 'Send an event to an execution',
  description:
    'For the owner. A step that waits for it goes on with its data; an event that comes before its step is kept, and taken once. 400 where no step of the workflow takes it, 409 when the execution has ended or keeps too many.',
  params: Type.Object({ id: Type.String(), executionId: Type.String() }),
  body: EventRequest,
  response: { 202: Data(ReceivedEvent) }
}
