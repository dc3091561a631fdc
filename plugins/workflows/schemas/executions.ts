import { Data, OrNull, Page, Paging, Time, Used } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { ExecutionEvent } from './execution-events.ts'

const Failure = Type.Object(
  {
    code: Type.String({ examples: ['timed_out', 'outcome_unknown', 'rejected'] }),
    message: Type.String({ description: 'Of an execution: with the path of the step that failed' })
  },
  { title: 'ExecutionError' }
)
const tokens = Type.Integer({ minimum: 0 })
const Cost = Type.Object(
  { inputTokens: tokens, cachedTokens: tokens, outputTokens: tokens },
  { title: 'ExecutionCost', description: 'As the runs of its agents reported them' }
)
const Decision = Type.Object(
  {
    by: Type.String({ description: 'The principal' }),
    decision: Type.Enum(['approve', 'reject']),
    comment: OrNull(Type.String()),
    data: Type.Unknown(),
    at: Time
  },
  { title: 'StepDecision' }
)
const ExecutionStep = Type.Object(
  {
    stepId: Type.String(),
    path: Type.String({
      description: 'Unique: a step inside of others, and what undoes one, has theirs before its own id',
      examples: ['each[3].classify', 'pay.compensation']
    }),
    type: Type.String(),
    status: Type.Enum(['running', 'waiting', 'completed', 'failed', 'skipped', 'cancelled']),
    attempt: Type.Integer({ description: 'The latest; 0 for one that was skipped' }),
    input: Type.Unknown({ description: 'Its config, with the expressions evaluated' }),
    output: Type.Unknown(),
    error: OrNull(Failure),
    cost: OrNull(Cost),
    usage: Used,
    runId: OrNull(Type.String({ description: 'The run of an agent step' })),
    executionId: OrNull(Type.String({ description: 'The execution of a workflow step' })),
    decisions: Type.Array(Decision),
    deadline: OrNull(Time),
    startedAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'ExecutionStep' }
)
const status = Type.Enum(['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'], {
  description: '`waiting`: it goes on when something comes: a decision, the end of a run, its time'
})
export const ExecutionSummary = Type.Object(
  {
    id: Type.String({ examples: ['execution_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    workflowId: Type.String(),
    workflowVersion: Type.Integer({ description: 'Which it began with, and keeps' }),
    status,
    error: OrNull(Failure),
    createdAt: Time,
    endedAt: OrNull(Time)
  },
  { title: 'ExecutionSummary' }
)
export const Execution = Type.Object(
  {
    ...ExecutionSummary.properties,
    parentId: OrNull(Type.String({ description: 'The execution of which it is a step' })),
    input: Type.Unknown(),
    output: Type.Unknown({ description: 'Null until it has completed' }),
    cost: OrNull(Cost),
    steps: Type.Array(ExecutionStep, { description: 'Those that began or were skipped, in that order' })
  },
  { title: 'Execution' }
)
const ExecuteRequest = Type.Object(
  { input: Type.Optional(Type.Unknown({ description: 'As the inputSchema has it; default `{}`' })) },
  { title: 'ExecuteRequest', examples: [{ input: { name: 'Ada' } }] }
)
const DecisionRequest = Type.Object(
  {
    stepId: Type.Optional(
      Type.String({ maxLength: 1_000, description: 'Its id or path; needed where several steps wait' })
    ),
    comment: Type.Optional(Type.String({ maxLength: 5_000 })),
    data: Type.Optional(
      Type.Unknown({ description: 'As the form of the approval has it; of an event: what came' })
    )
  },
  { title: 'StepDecisionRequest', examples: [{ comment: 'Looks right', data: { percent: 50 } }] }
)

export type Execution = Static<typeof Execution>
export type ExecutionSummary = Static<typeof ExecutionSummary>
export type ExecutionStep = Static<typeof ExecutionStep>
export type ExecuteRequest = Static<typeof ExecuteRequest>
export type DecisionRequest = Static<typeof DecisionRequest>

const tags = ['workflows']
const workflow = Type.Object({ id: Type.String() })
const params = Type.Object({ id: Type.String(), executionId: Type.String() })
const after = Type.Optional(
  Type.Integer({ minimum: -1, maximum: 999_999_999, description: '`seq` of the last event received' })
)
const ExecutionQuery = Type.Object({ ...Paging, status: Type.Optional(status) })
export type ExecutionQuery = Static<typeof ExecutionQuery>

export const executeWorkflow = {
  tags,
  summary: 'Execute a workflow',
  description: 'Returns at once; the execution is read or followed by its id.',
  params: workflow,
  body: Type.Union([Type.Null(), ExecuteRequest]),
  response: { 201: Data(Execution) }
}
export const listExecutions = {
  tags,
  summary: 'List the executions of a workflow',
  params: workflow,
  querystring: ExecutionQuery,
  response: { 200: Page(ExecutionSummary) }
}
export const readExecution = {
  tags,
  summary: 'Get an execution',
  params,
  response: { 200: Data(Execution) }
}
export const followExecution = {
  tags,
  summary: 'Follow an execution',
  description: 'Ends with `completed`, `failed` or `cancelled`.',
  params,
  querystring: Type.Object({ after }),
  response: {
    200: {
      description: 'Server-Sent Events, each a `data: <JSON>` frame',
      content: { 'text/event-stream': { schema: ExecutionEvent } }
    }
  }
}
export const cancelExecution = {
  tags,
  summary: 'Cancel an execution',
  description:
    'Stops the steps that are under way, and undoes those that have a compensation. Returns when it has ended, or with it as it is after 5 s; 409 for one that had ended before.',
  params,
  response: { 200: Data(Execution) }
}
const decide = (summary: string) => ({
  tags,
  summary,
  description:
    'For the owner, and the principals that the approval lists, to whom no more than the step is shown. 409 for a second decision and after the deadline.',
  params,
  body: Type.Union([Type.Null(), DecisionRequest]),
  response: { 200: Data(Execution) }
})
export const approveStep = decide('Approve a step that waits, or deliver the event that it waits for')
export const rejectStep = decide('Reject a step that waits')
