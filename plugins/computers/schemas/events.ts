import { Closed, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { params, tags } from './computers.ts'

export const ComputerEvent = Type.Object(
  {
    id: Type.String({ examples: ['event_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    agentId: Type.String(),
    computerId: Type.String(),
    type: Type.Enum([
      'configured',
      'waking',
      'awake',
      'sleeping',
      'asleep',
      'off',
      'failed',
      'resized',
      'files_written',
      'egress_refused',
      'terminal_opened',
      'terminal_closed'
    ]),
    reason: OrNull(Type.String({ maxLength: 500 })),
    createdAt: Time
  },
  { title: 'ComputerEvent' }
)
export type ComputerEvent = Static<typeof ComputerEvent>

const id = Type.String()
export const listEvents = {
  tags,
  summary: 'List or follow the events of a computer',
  description:
    'A page, newest first; by `Accept: text/event-stream` all of them as they come, from the beginning, or behind `after`, else `Last-Event-ID`.',
  params,
  querystring: Type.Object({
    ...Paging,
    type: Type.Optional(ComputerEvent.properties.type),
    after: Type.Optional(Type.Integer({ minimum: -1, description: 'Of a stream: the last seq received' }))
  }),
  response: {
    200: {
      description: 'Events',
      content: {
        'application/json': { schema: Page(ComputerEvent) },
        'text/event-stream': {
          schema: Closed({ type: id, seq: Type.Integer(), computerId: id, reason: OrNull(id), at: Time })
        }
      }
    },
    410: {}
  }
}
