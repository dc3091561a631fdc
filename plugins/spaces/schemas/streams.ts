import { Data, Time } from 'agent-platform'
import type { Static, TProperties } from 'typebox'
import { Type } from 'typebox'
import { Member } from './members.ts'
import { Message } from './messages.ts'
import { Space } from './spaces.ts'

const tags = ['spaces']
const InSpace = Type.Object({ spaceId: Type.String() })

const event = <T extends string, P extends TProperties>(type: T, fields: P) =>
  Type.Object({ type: Type.Literal(type), spaceId: Type.String(), seq: Type.Integer(), ...fields })
const [space, member] = [Type.Omit(Space, ['role', 'fleetId']), Type.Omit(Member, ['isPresent'])]
const id = Type.String()
const SpaceEvent = Type.Union(
  [
    event('space_created', { space }),
    event('space_updated', { space }),
    event('member_added', { member }),
    event('member_updated', { member }),
    event('member_removed', { memberId: id }),
    event('message_posted', { message: Message }),
    event('message_edited', { message: Message }),
    event('message_deleted', { messageId: id }),
    event('reaction_added', { messageId: id, memberId: id, emoji: id }),
    event('reaction_removed', { messageId: id, memberId: id, emoji: id }),
    event('answer_skipped', { messageId: id, memberId: id, code: id }),
    event('answer_failed', { messageId: id, memberId: id, code: id }),
    event('presence', { memberId: id, isPresent: Type.Boolean() }),
    event('typing', { memberId: id }),
    event('read', { memberId: id, messageId: id }),
    event('speaking', { memberId: id, isSpeaking: Type.Boolean() }),
    event('unsubscribed', {}),
    event('keepalive', {})
  ],
  {
    title: 'SpaceEvent',
    description:
      'Those from `presence` on are not stored, and have the `seq` of the event before them. Behind `unsubscribed` comes nothing more'
  }
)
export const subscribe = {
  tags,
  summary: 'Follow a space',
  description:
    'Server-Sent Events from the beginning, or behind `after`, else `Last-Event-ID`. Ends when the caller is no member any more, by `unsubscribe`, and with the space. While it is open the caller is present. 410 `events_gone` where what came behind `after` is not kept any more: read `…/full`, and follow its `seq`. 429 `too_many_streams` above ten of one caller, by default.',
  params: InSpace,
  querystring: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: -1, description: 'The last seq received' }))
  }),
  response: {
    200: { description: 'Events', content: { 'text/event-stream': { schema: SpaceEvent } } },
    410: {},
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
