import { Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Channel = Type.Object(
  {
    id: OrNull(
      Type.String({
        description: 'Null before it is connected first',
        examples: ['channel_01k4qz0000e0080000000000ab']
      })
    ),
    agentId: Type.String(),
    owner: Type.String(),
    kind: Type.String(),
    state: Type.Enum(['disconnected', 'connected']),
    account: OrNull(Type.String({ description: 'Who it is at the service' })),
    config: Type.Record(Type.String(), Type.Unknown(), { description: 'Without its secrets' }),
    access: Type.Enum(['paired', 'open'], {
      description: '`paired`: conversations that were paired alone are answered'
    }),
    address: OrNull(Type.String({ description: 'That the service delivers to' })),
    conversations: Type.Integer({ description: 'That may talk to the agent' }),
    waiting: Type.Integer({ description: 'Messages that are not answered yet' }),
    reason: OrNull(Type.String({ description: 'Why the latest message could not be sent' })),
    connectedAt: OrNull(Time)
  },
  { title: 'Channel' }
)
export type Channel = Static<typeof Channel>

export const params = Type.Object({ agentId: Type.String(), channel: Type.String(), action: Type.String() })
export const ChannelAct = Type.Object(
  {},
  {
    title: 'ChannelAction',
    additionalProperties: true,
    examples: [{ token: '123456:ABC-DEF', access: 'paired' }]
  }
)
const secret = Type.Optional(Type.String({ description: 'Signs deliveries; shown this once' }))

export const actOnChannel = {
  tags: ['channels'],
  summary: 'Manage a channel',
  description:
    '`connect` takes what the kind needs (its secrets are sealed, and never shown again) and `access`; `disconnect` forgets the secrets; `status`; `pair` gives a code that a person sends to the channel within ten minutes; `send` takes `conversation` and `text`; `test` asks the service who the channel is. 404 for an unknown channel or action.',
  params,
  body: OrNull(ChannelAct),
  response: {
    200: Data(
      Type.Object(
        {
          ...Type.Partial(Channel).properties,
          secret,
          code: Type.Optional(Type.String({ description: 'Of `pair`; shown this once' })),
          expiresAt: Type.Optional(Time),
          messageId: Type.Optional(Type.String({ description: 'Of `send`' })),
          ok: Type.Optional(Type.Boolean({ description: 'Of `test`' }))
        },
        { title: 'ChannelActed' }
      )
    ),
    409: {},
    502: {}
  }
}
export const receive = {
  tags: ['channels'],
  summary: 'Deliver to a channel',
  description:
    'For the service alone, whose signature is the credential. 401 `invalid_signature` for any other.',
  params: Type.Object({ channelId: Type.String() }),
  response: { 200: {} }
}
