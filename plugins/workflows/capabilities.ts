import type { Paging as PageQuery } from 'agent-platform'
import { Closed, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import type { Capability } from '../ui-plugins/contract.ts'
import type { ExecutionService } from './executions/execution-service.ts'
import type { ExecutionStarts } from './executions/starts.ts'
import { Execution } from './schemas/executions.ts'
import { WorkflowSummary } from './schemas/workflows.ts'
import type { WorkflowService } from './services/workflows.ts'

const id = Type.String({ maxLength: 128 })
const ExecuteParams = Closed({
  workflowId: id,
  input: Type.Optional(Type.Unknown({ description: 'As the workflow asks for it; default `{}`' })),
  key: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,100}$',
      description: 'The same key within a day is the same execution: for calls that are made again'
    })
  )
})
const ExecutionParams = Closed({ workflowId: id, executionId: id })
/** Without its steps: what went through them is more than its caller asked for. */
const AppExecution = Type.Pick(Execution, [
  'id',
  'workflowId',
  'status',
  'output',
  'error',
  'createdAt',
  'endedAt'
])

export const listCapability = ({
  workflowService
}: {
  workflowService: WorkflowService
}): Capability<PageQuery> => ({
  title: 'List workflows',
  description: 'The workflows of the caller, newest first, in pages, without their steps',
  risk: 'low',
  reaches: 'Reads the names of your workflows',
  params: Closed(Paging),
  result: Page(Type.Pick(WorkflowSummary, ['id', 'name', 'description', 'version', 'updatedAt'])),
  idempotent: true,
  call: (by, page) => workflowService.list(by, page)
})

export const executeCapability = ({
  executionStarts
}: {
  executionStarts: ExecutionStarts
}): Capability<Static<typeof ExecuteParams>> => ({
  title: 'Execute a workflow',
  description: 'Begins an execution of a workflow of the caller, and gives its id',
  risk: 'high',
  reaches: 'Executes your workflows in your name, with all that their steps do',
  params: ExecuteParams,
  result: Type.Pick(Execution, ['id', 'workflowId']),
  call: (by, { key, ...order }, { appId, depth }) =>
    // What the caller begins itself, and what other apps begin for it, is not found by this one's keys.
    executionStarts.start(by, { ...order, depth, ...(key !== undefined && { key: `${appId}/${key}` }) })
})

interface Deps {
  executionService: ExecutionService
}

export const readCapability = ({ executionService }: Deps): Capability<Static<typeof ExecutionParams>> => ({
  title: 'Read an execution',
  description: 'The state of an execution of a workflow, and its output',
  risk: 'medium',
  reaches: 'Reads what came out of your workflows',
  params: ExecutionParams,
  result: AppExecution,
  idempotent: true,
  call: (by, { workflowId, executionId }) => executionService.read(by, workflowId, executionId)
})

export const cancelCapability = ({ executionService }: Deps): Capability<Static<typeof ExecutionParams>> => ({
  title: 'Cancel an execution',
  description: 'Ends an execution of a workflow; 409 `already_ended` for one that has ended',
  risk: 'medium',
  reaches: 'Stops your workflows that are under way',
  params: ExecutionParams,
  result: AppExecution,
  call: (by, { workflowId, executionId }) => executionService.cancel(by, workflowId, executionId)
})
