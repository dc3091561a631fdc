import { Data } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Run } from './runs.ts'

const Decision = Type.Object(
  {
    decision: Type.Union([Type.Literal('approve'), Type.Literal('reject')]),
    comment: Type.Optional(
      Type.String({ maxLength: 2_000, description: 'Of a rejection: the model reads it' })
    ),
    forSession: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Approves such calls for the rest of the session, while the tool stays as it is; of tools whose calls are decided on one by one, this call alone'
      })
    )
  },
  { title: 'ApprovalDecision' }
)
const QuestionAnswer = Type.Object(
  {
    action: Type.Union([Type.Literal('accept'), Type.Literal('decline'), Type.Literal('cancel')]),
    content: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Of `accept`: as the schema wants it' })
    )
  },
  { title: 'ElicitationAnswer' }
)

export type Decision = Static<typeof Decision>
export type QuestionAnswer = Static<typeof QuestionAnswer>

const tags = ['runs']

export const decideCall = {
  tags,
  summary: 'Approve or reject a call that waits for it',
  description: 'For the owner of the session or of the agent, never for an agent. 409 for a second decision.',
  params: Type.Object({ runId: Type.String(), callId: Type.String() }),
  body: Decision,
  response: { 200: Data(Run) }
}
export const answerQuestion = {
  tags,
  summary: 'Answer what a tool asks in the middle of a call',
  description: 'Never for an agent. 409 for a second answer.',
  params: Type.Object({ runId: Type.String(), elicitationId: Type.String() }),
  body: QuestionAnswer,
  response: { 200: Data(Run) }
}
