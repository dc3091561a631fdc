import type { Kernel, Principal } from 'agent-platform'
import { conflict, digestOf, examineValue, exhausted, invalid, isStreamLost, newId } from 'agent-platform'
import type { Begun, ExecutionOrder } from '../contract.ts'
import type { Attempt } from '../kinds/kind.ts'
import type { WorkflowService } from '../services/workflows.ts'
import type { WorkflowSettings } from '../settings.ts'
import type { ExecutionStore, Start } from '../stores/executions.ts'
import { encode } from '../stores/json.ts'
import { EXECUTION } from './cancellations.ts'
import { factOf } from './execution-facts.ts'
import { BYTES } from './failures.ts'

export type ExecutionStarts = ReturnType<typeof createExecutionStarts>

const KEY = /^[\x21-\x7e]{1,255}$/

interface Deps extends Pick<Kernel, 'streams' | 'executions'> {
  settings: WorkflowSettings
  workflowService: WorkflowService
  executionStore: ExecutionStore
}

/** What an execution that another one begins belongs to. */
type Parent = Pick<Start, 'rootId' | 'parentId' | 'parentStep'>

/** How executions begin. */
export function createExecutionStarts({
  streams,
  executions,
  settings,
  workflowService,
  executionStore
}: Deps) {
  const start = (by: Principal, order: ExecutionOrder): Promise<Begun> => begin(by, order)

  /** A step of an execution that executes another workflow: the same one for the same attempt. */
  function startNested({ live: { by, row: execution }, config, row, key }: Attempt): Promise<Begun> {
    const { workflowId, input } = config
    const order = {
      workflowId: String(workflowId),
      input,
      key,
      depth: execution.depth + 1,
      param: '/config/workflowId'
    }
    return begin(by, order, { rootId: execution.rootId, parentId: execution.id, parentStep: row.id })
  }

  async function begin(
    by: Principal,
    { workflowId, input = {}, key, param = '/workflowId', depth = 0 }: ExecutionOrder,
    parent?: Parent
  ): Promise<Begun> {
    if (key !== undefined && !KEY.test(key))
      throw invalid('/key', 'key must be 1 to 255 visible ASCII characters')
    const workflow = await workflowService.owned(by, workflowId, 'run', param)
    const requestKey = key === undefined ? null : digestOf([by.id, by.owner, key])
    const requestDigest = key === undefined ? null : digestOf({ workflowId, input: input ?? null })
    const known = await findRepeated(workflow.project, requestKey, requestDigest)
    if (known) return known
    await check(by, workflow.definition.inputSchema, input)
    if (depth > settings.maxDepth)
      throw exhausted(`More than ${settings.maxDepth} executions and runs lie above it`, { code: 'too_deep' })
    const { project, owner } = workflow
    if (parent && (await executionStore.countOfRoot(project, parent.rootId)) > settings.maxDescendants)
      throw exhausted(`More than ${settings.maxDescendants} executions descend from the first one`, {
        code: 'too_many_descendants'
      })
    const id = newId('execution')
    const order: Start = {
      rootId: id,
      parentId: null,
      parentStep: null,
      ...parent,
      project,
      id,
      owner: by.initiator ?? owner,
      workflowId,
      workflowVersion: workflow.version,
      depth,
      input,
      requestKey,
      requestDigest
    }
    if (!(await insert(by, order)))
      return begin(by, { workflowId, input, ...(key && { key }), param, depth }, parent)
    void executions.execute(EXECUTION, id)
    return { id, workflowId }
  }

  /** False when one with the same key was faster. */
  async function insert(by: Principal, order: Start): Promise<boolean> {
    const writer = streams.open(order.project, order.id, 'executionId')
    let isNew = true
    try {
      await writer.commit([{ type: 'status', fields: { status: 'queued' } }], async (chunk) => {
        isNew = await executionStore.insert(order, chunk, factOf('workflows.started', order, by))
        return isNew
      })
    } catch (error) {
      if (isNew) throw error
      return false
    }
    // Whoever executes it claims the stream; another instance may have found it in the record by now, and claimed it.
    await writer.release().catch(unlessLost)
    return true
  }

  async function findRepeated(project: string, key: string | null, digest: string | null) {
    const found = key === null ? undefined : await executionStore.findRequested(project, key)
    if (found && found.requestDigest !== digest)
      throw conflict('The key was used with another input', { code: 'idempotency_key_reused' })
    return found && { id: found.id, workflowId: found.workflowId }
  }

  async function check(by: Principal, schema: object | undefined, input: unknown): Promise<void> {
    if (Buffer.byteLength(encode(input)) > BYTES) throw invalid('/input', `input is more than ${BYTES} bytes`)
    const fault = schema && (await examineValue(by, schema, input))
    if (fault) throw invalid(`/input${fault.at}`, `/input${fault.at} ${fault.text}`)
  }

  return { start, startNested }
}

function unlessLost(error: unknown): void {
  if (!isStreamLost(error)) throw error
}
