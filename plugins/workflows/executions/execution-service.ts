import type { Kernel, PageOf, Principal, StreamEvent, Verb } from 'agent-platform'
import { conflict, notFound, owned } from 'agent-platform'
import type { ExecutionEvents } from '../events/execution-events.ts'
import type { EventRequest } from '../schemas/events.ts'
import type {
  DecisionRequest,
  ExecuteRequest,
  Execution,
  ExecutionQuery,
  ExecutionStep,
  ExecutionSummary
} from '../schemas/executions.ts'
import type { WorkflowService } from '../services/workflows.ts'
import type { ExecutionStore } from '../stores/executions.ts'
import type { StepStore } from '../stores/steps.ts'
import type { Cancellations } from './cancellations.ts'
import type { Decisions } from './decisions.ts'
import type { Decision, ExecutionRecord, StepRow } from './journal.ts'
import { addCosts } from './journal.ts'
import type { ExecutionStarts } from './starts.ts'

export type ExecutionService = ReturnType<typeof createExecutionService>

/** How long the caller of a cancellation waits for the end. */
const CANCEL_MS = 5_000

interface Deps extends Pick<Kernel, 'streams'> {
  workflowService: WorkflowService
  executionStore: ExecutionStore
  stepStore: StepStore
  executionStarts: ExecutionStarts
  cancellations: Cancellations
  decisions: Decisions
  executionEvents: ExecutionEvents
}

/** Executions as their owners see them. */
export function createExecutionService(deps: Deps) {
  const { streams, workflowService, executionStore, stepStore } = deps
  const { executionStarts, cancellations, decisions, executionEvents } = deps

  /** 404 also for one of another workflow. */
  async function find(id: string, workflowId?: string): Promise<ExecutionRecord | undefined> {
    const found = await executionStore.find(id)
    return workflowId === undefined || found?.workflowId === workflowId ? found : undefined
  }

  const ofOwner = async (by: Principal, id: string, verb: Verb, workflowId?: string) =>
    owned(by, await find(id, workflowId), 'Execution', verb)

  async function execute(by: Principal, workflowId: string, { input }: ExecuteRequest): Promise<Execution> {
    const { id } = await executionStarts.start(by, {
      workflowId,
      param: 'id',
      ...(input !== undefined && { input })
    })
    return read(by, workflowId, id)
  }

  async function list(by: Principal, id: string, query: ExecutionQuery): Promise<PageOf<ExecutionSummary>> {
    // A public workflow is for all to read, what was executed is not.
    const { project } = await workflowService.owned(by, id, 'run')
    return executionStore.list(by, { project, workflowId: id, ...query })
  }

  const read = async (by: Principal, workflowId: string, id: string): Promise<Execution> =>
    show(await ofOwner(by, id, 'read', workflowId))

  async function show(row: ExecutionRecord): Promise<Execution> {
    const steps = await stepStore.list(row.project, row.id)
    return shown(row, steps)
  }

  async function decide(
    by: Principal,
    workflowId: string,
    id: string,
    decision: Decision['decision'],
    request: DecisionRequest
  ): Promise<Execution> {
    const found = await find(id, workflowId)
    const step = await decisions.decide(by, found, decision, request)
    const row = (await find(id, workflowId)) as ExecutionRecord
    const isOwner = by.initiator ? row.owner === by.initiator : by.type === 'service' || row.owner === by.id
    if (isOwner) return show(row)
    const decided = await stepStore.find(row.project, step.id)
    return shown({ ...row, input: null, output: null, error: null }, decided ? [decided] : [])
  }

  /** 409 for one that has ended. */
  async function sendEvent(by: Principal, workflowId: string, id: string, request: EventRequest) {
    const execution = await ofOwner(by, id, 'change', workflowId)
    const { project, owner, workflowVersion: version } = execution
    return executionEvents.send(by, { project, owner, id: workflowId, version }, execution, request)
  }

  /** Ends it soon; 409 for one that has ended. */
  async function requestCancel(by: Principal, id: string, workflowId?: string): Promise<ExecutionRecord> {
    const row = await ofOwner(by, id, 'change', workflowId)
    if (row.endedAt !== null)
      throw conflict(
        `The execution has ${row.status === 'cancelled' ? 'been cancelled' : row.status} already`,
        {
          code: 'already_ended'
        }
      )
    if (row.ending === null) await cancellations.cancel(row.project, [id], 'cancel')
    return row
  }

  async function cancel(by: Principal, workflowId: string, id: string): Promise<Execution> {
    const { project } = await ofOwner(by, id, 'change', workflowId)
    const before = await streams.state(project, id)
    await requestCancel(by, id, workflowId)
    const isLast = ({ type }: StreamEvent) =>
      type === 'completed' || type === 'failed' || type === 'cancelled'
    await streams.until(project, id, before?.last ?? -1, isLast, AbortSignal.timeout(CANCEL_MS))
    const row = await find(id, workflowId)
    if (!row) throw notFound('Execution')
    if (row.status === 'completed')
      throw conflict('The execution has completed already', { code: 'already_ended' })
    return show(row)
  }

  return { execute, list, read, decide, sendEvent, cancel, requestCancel, find: ofOwner }
}

function shown(row: ExecutionRecord, steps: readonly StepRow[]): Execution {
  const {
    id,
    owner,
    workflowId,
    workflowVersion,
    status,
    parentId,
    input,
    output,
    error,
    createdAt,
    endedAt
  } = row
  return {
    id,
    owner,
    workflowId,
    workflowVersion,
    status,
    parentId,
    input,
    output: output ?? null,
    error: error ?? row.ending?.error ?? null,
    cost: addCosts(steps.map(({ cost }) => cost)),
    steps: steps.map(shownStep),
    createdAt,
    endedAt
  }
}

const shownStep = (row: StepRow): ExecutionStep => ({
  stepId: row.stepId,
  path: row.path,
  type: row.kind,
  status: row.status,
  attempt: row.attempt,
  input: row.input,
  output: row.output,
  error: row.error,
  cost: row.cost,
  usage: [...(row.usage ?? [])],
  runId: row.kind === 'agent' ? row.ref : null,
  executionId: row.kind === 'workflow' ? row.ref : null,
  decisions: [...(row.decisions ?? [])],
  deadline: row.deadline,
  startedAt: row.startedAt,
  endedAt: row.endedAt
})
