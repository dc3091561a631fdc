import { Data, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const tags = ['spaces']
const InSpace = Type.Object({ spaceId: Type.String() })

const SpaceEvent = Type.Object(
  {
    type: Type.String({
      description:
        'space_created, space_updated, member_added, member_updated, member_removed, message_posted, message_edited, message_deleted, reaction_added, reaction_removed, answer_skipped, answer_failed; and, not stored, with the seq of the event before it: keepalive, presence, typing, read, speaking'
    }),
    spaceId: Type.String(),
    seq: Type.Integer()
  },
  { title: 'SpaceEvent', additionalProperties: true }
)
export const subscribe = {
  tags,
  summary: 'Follow a space',
  description:
    'Server-Sent Events from the beginning, or behind `after`, else `Last-Event-ID`. Ends when the caller is no member any more, by `unsubscribe`, and with the space. While it is open the caller is present. 429 `too_many_streams` above ten of one caller, by default.',
  params: InSpace,
  querystring: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: -1, description: 'The last seq received' }))
  }),
  response: {
    200: { description: 'Events', content: { 'text/event-stream': { schema: SpaceEvent } } },
    429: {}
  }
}
export const unsubscribe = {
  tags,
  summary: 'End the streams of the caller in a space',
  params: InSpace,
  response: {
    200: Data(
      Type.Object({ id: Type.String(), unsubscribed: Type.Literal(true) }, { title: 'SpaceUnsubscribed' })
    )
  }
}
const Signal = Type.Object(
  {
    type: Type.Enum(['typing', 'speaking']),
    isSpeaking: Type.Optional(
      Type.Boolean({ default: true, description: 'Of `speaking`: good for ten seconds, then said again' })
    )
  },
  { title: 'SpaceSignal' }
)
export type Signal = Static<typeof Signal>
export const sendSignal = {
  tags,
  summary: 'Tell those who follow a space that the caller types or speaks',
  description: 'Nothing of it is kept.',
  params: InSpace,
  body: Signal,
  response: {
    200: Data(Type.Object({ type: Type.String(), memberId: Type.String() }, { title: 'SpaceSignalSent' }))
  }
}
const RtcTicket = Type.Object(
  {
    url: Type.String({ description: 'Of the LiveKit server' }),
    token: Type.String({ description: 'Shown here alone' }),
    room: Type.String(),
    identity: Type.String({ description: 'The caller’s member id' }),
    canPublish: Type.Boolean({ description: 'A guest listens' }),
    expiresAt: Time
  },
  { title: 'RtcTicket' }
)
export type RtcTicket = Static<typeof RtcTicket>
export const mintTicket = {
  tags,
  summary: 'Mint a WebRTC join ticket',
  description: '503 `capability_missing` naming the settings while no LiveKit server is set.',
  params: InSpace,
  response: { 201: Data(RtcTicket) }
}
export const readComposite = {
  tags,
  summary: 'The members of a space and who speaks, as one picture',
  description: 'Drawn anew only when something in it changed: 304 where `If-None-Match` has its ETag.',
  params: InSpace,
  response: {
    200: {
      description: 'PNG',
      content: { 'image/png': { schema: Type.String({ format: 'binary' }) } }
    }
  }
}
