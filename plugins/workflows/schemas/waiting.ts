import { OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const WaitingStep = Type.Object(
  {
    id: Type.String({ examples: ['step_01k4qz0000e0080000000000ab'] }),
    owner: Type.String({ description: 'Whose execution it is of' }),
    workflowId: Type.String(),
    workflowName: OrNull(
      Type.String({ description: 'Null where the caller is no more than listed by the approval' })
    ),
    executionId: Type.String(),
    stepId: Type.String(),
    path: Type.String({ description: 'Names it in a decision' }),
    type: Type.Enum(['approval', 'wait']),
    input: Type.Unknown({ description: 'Its config: `message` and `form`, or `event`, `key` and `schema`' }),
    deadline: OrNull(Time),
    startedAt: Time
  },
  { title: 'WaitingStep' }
)
export type WaitingStep = Static<typeof WaitingStep>

export const listWaitingSteps = {
  tags: ['workflows'],
  summary: 'List the steps that wait for the caller',
  description:
    'Of all workflows, the newest first: approvals that the caller may decide and has not decided, and events that its executions wait for. Before their deadlines.',
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(WaitingStep) }
}
