import { Closed, Data } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const tokens = (description: string) => Type.Integer({ minimum: 0, description })

const CompactOrder = Closed({
  keepMessages: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000,
      description:
        'Number of newest messages that stay in prompts as they are; fewer, where they would not begin with a message of the user. Default: 4'
    })
  ),
  instructions: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2_000,
      description: 'Additional content that the summary must keep'
    })
  )
})
export type CompactOrder = Static<typeof CompactOrder>

const CompactedSession = Type.Object(
  {
    id: Type.String({ description: 'The message that holds the summary' }),
    sessionId: Type.String(),
    content: Type.String({ description: 'The summary' }),
    messages: Type.Integer({ description: 'Number of messages that it replaces in prompts' }),
    tokensBefore: tokens('Estimated tokens of the messages in prompts before'),
    tokensAfter: tokens('The same after the summary')
  },
  { title: 'CompactedSession' }
)
export type CompactedSession = Static<typeof CompactedSession>

export const compactSession = {
  tags: ['runs'],
  summary: 'Compact a session',
  description:
    'Has the model of the agent write a summary, which replaces all but the newest messages in later prompts. The messages stay readable. 409 `nothing_to_compact` if there are no older messages, 409 `session_busy` while a run has not finished.',
  params: Type.Object({ id: Type.String() }),
  body: CompactOrder,
  response: { 200: Data(CompactedSession) }
}
