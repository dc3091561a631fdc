import type { Static } from 'typebox'
import { Type } from 'typebox'

const number = (env: string, value: number, maximum: number, description: string) =>
  Type.Integer({ env, minimum: 1, maximum, default: value, description })

export const WorkflowSettings = Type.Object({
  stepSeconds: number(
    'WORKFLOW_STEP_SECONDS',
    300,
    86_400,
    'Default timeout of a step attempt in seconds, for tool steps and steps of types from other packs'
  ),
  approvalSeconds: number(
    'WORKFLOW_APPROVAL_SECONDS',
    7 * 86_400,
    366 * 86_400,
    'Until an approval without deadlineSeconds is rejected'
  ),
  waitSeconds: number('WORKFLOW_WAIT_SECONDS', 366 * 86_400, 3_660 * 86_400, 'That a step may wait'),
  eventSeconds: number(
    'WORKFLOW_EVENT_SECONDS',
    7 * 86_400,
    366 * 86_400,
    'That an event with a key is kept while no execution waits for it; at least a day'
  ),
  concurrency: number('WORKFLOW_CONCURRENCY', 16, 1_000, 'Steps of an execution that are made at a time'),
  executions: number(
    'WORKFLOW_EXECUTIONS',
    200,
    100_000,
    'Executions that an instance takes forward at a time, three fourths of them of one owner'
  ),
  maxDepth: number('WORKFLOW_MAX_DEPTH', 8, 100, 'Executions and runs above an execution'),
  maxDescendants: number(
    'WORKFLOW_MAX_DESCENDANTS',
    1_000,
    1_000_000,
    'Executions below the first one of a tree of nested ones'
  ),
  maxSteps: number(
    'WORKFLOW_MAX_STEPS',
    10_000,
    1_000_000,
    'Steps of an execution, those of each item of a forEach counted'
  ),
  maxTokens: number(
    'WORKFLOW_MAX_TOKENS',
    5_000_000,
    1_000_000_000,
    'Input and output tokens of all agent steps of a tree of nested executions, after which no further one begins'
  )
})
export type WorkflowSettings = Static<typeof WorkflowSettings>
