import { Closed, Data, OrNull, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { tags } from './runtimes.ts'

// What a runtime and the platform say to each other.

const args = Type.Unknown()
const Message = Type.Object(
  {
    role: Type.Enum(['system', 'user', 'assistant', 'tool']),
    content: Type.String(),
    toolCalls: Type.Optional(
      Type.Array(Type.Object({ callId: Type.String(), toolName: Type.String(), args }))
    ),
    callId: Type.Optional(Type.String()),
    toolName: Type.Optional(Type.String()),
    isError: Type.Optional(Type.Boolean())
  },
  { title: 'TurnMessage' }
)
export const Turn = Type.Object(
  {
    id: Type.String({ examples: ['turn_01k4qz0000e0080000000000ab'] }),
    runId: Type.String(),
    sessionId: Type.String(),
    step: Type.Integer({ description: 'Of the run, from 1: after calls of tools comes another one' }),
    attempt: Type.Integer({
      description: 'Of the run: higher where another process of the platform goes on with it'
    }),
    messages: Type.Array(Message, {
      description: 'Instructions, context, what was said, calls of earlier steps'
    }),
    tools: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.Optional(Type.String()),
        parameters: Type.Unknown()
      }),
      { description: 'What this turn may ask for by `call`' }
    )
  },
  { title: 'RuntimeTurn' }
)
export type Turn = Static<typeof Turn>
export type TurnMessage = Static<typeof Message>

const count = Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))
const Content = Type.String({ maxLength: 65_536 })
const seq = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'Counts the events of the turn, without gaps'
})
export const TurnEvent = Type.Union(
  [
    Closed({
      type: Type.Literal('token'),
      seq,
      content: Content,
      phase: Type.Optional(Type.Enum(['commentary', 'final_answer']))
    }),
    Closed({
      type: Type.Literal('call'),
      seq,
      callId: Type.String({ minLength: 1, maxLength: 200 }),
      toolName: Type.String({ minLength: 1, maxLength: 200 }),
      args
    }),
    Closed({
      type: Type.Literal('end'),
      seq,
      usage: Type.Optional(Closed({ inputTokens: count, cachedTokens: count, outputTokens: count }))
    }),
    Closed({ type: Type.Literal('error'), seq, message: Type.String({ minLength: 1, maxLength: 1_000 }) })
  ],
  { title: 'TurnEvent' }
)
export type TurnEvent = Static<typeof TurnEvent>

const ofProcess = Type.Object({ agentId: Type.String(), processId: Type.String() })

export const followTurns = {
  tags,
  summary: 'Stream turns to a runtime process',
  description:
    '`turn`, `cancel` of one, and `drain`: no more turns come, and it ends when it has answered those it has.',
  params: ofProcess,
  querystring: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: -1, description: 'The last seq received' }))
  }),
  response: {
    200: {
      description: 'Events',
      content: {
        'text/event-stream': {
          schema: Type.Object({
            type: Type.Enum(['started', 'turn', 'cancel', 'drain']),
            seq: Type.Integer(),
            processId: Type.String(),
            turn: Type.Optional(Turn),
            turnId: Type.Optional(Type.String())
          })
        }
      }
    },
    410: {}
  }
}
export const beat = {
  tags,
  summary: 'A sign of life of a process of a runtime',
  description: 'The first one says that it is ready: turns come to it from then on.',
  params: ofProcess,
  body: Type.Object(
    {
      capabilities: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 100, pattern: '^[\\x21-\\x7e]+$' }), {
          maxItems: 20
        })
      )
    },
    { title: 'RuntimeBeat', additionalProperties: false }
  ),
  response: {
    200: Data(
      Type.Object(
        {
          state: Type.Enum(['ready', 'draining']),
          nextSeconds: Type.Integer({ description: 'Until the next one is awaited' }),
          credential: OrNull(
            Type.Object(
              { token: Type.String(), expiresAt: Time },
              { description: 'To be used from now on; the one before is good for a while' }
            )
          )
        },
        { title: 'RuntimeBeatReply' }
      )
    ),
    409: {}
  }
}
export const answerTurn = {
  tags,
  summary: 'Answer a turn',
  description:
    'Lines of JSON, each a `TurnEvent`, as they come about: read while they are sent. The last one is `end` or `error`. Those that are known already are passed over, so that a body that was cut off can be sent again from any `seq`; one that leaves some out is 409 `events_missing`, and one for a turn that is over 409 `turn_over`.',
  params: Type.Object({ agentId: Type.String(), turnId: Type.String() }),
  response: {
    200: Data(
      Type.Object(
        {
          last: Type.Integer({ description: 'The last event that is kept, -1 before the first' }),
          status: Type.String()
        },
        { title: 'TurnAnswered' }
      )
    ),
    409: {},
    413: {}
  }
}
