import type { Kernel, Principal } from 'agent-platform'
import {
  conflict,
  delegated,
  examineValue,
  exhausted,
  invalid,
  isStreamLost,
  owned,
  unavailable
} from 'agent-platform'
import type { Begun, ExecutionOrder } from '../contract.ts'
import type { Attempt } from '../kinds/kind.ts'
import type { Definition } from '../schemas/definition.ts'
import { workflows } from '../schemas/workflows.ts'
import type { WorkflowSettings } from '../settings.ts'
import type { ExecutionStore } from '../stores/executions.ts'
import { encode } from '../stores/json.ts'
import type { Executable, Repetition, StartStore } from '../stores/starts.ts'
import type { VersionStore } from '../stores/versions.ts'
import { unfilledIn } from '../validation/unfilled.ts'
import { EXECUTION } from './cancellations.ts'
import { factOf } from './execution-facts.ts'
import { BYTES } from './failures.ts'
import type { ExecutionRecord } from './journal.ts'
import type { LiveExecutions } from './live.ts'
import { newLive } from './live.ts'
import type { Parent } from './new-execution.ts'
import { newExecution } from './new-execution.ts'
import { repeated, repetitionOf } from './repetitions.ts'

export type ExecutionStarts = ReturnType<typeof createExecutionStarts>

const TRIES = 8
const statusEvent = (status: string) => ({ type: 'status', fields: { status } })

interface Deps extends Pick<Kernel, 'streams' | 'executions' | 'instances' | 'principals'> {
  settings: WorkflowSettings
  executionStore: ExecutionStore
  startStore: StartStore
  versionStore: VersionStore
  liveExecutions: LiveExecutions
}

/** Whose execution it is, as long as it may act. */
type Owning = (workflow: Executable) => Principal | undefined | Promise<Principal | undefined>
type Order = Pick<ExecutionOrder, 'input' | 'key' | 'depth'>

/** How executions begin. */
export function createExecutionStarts(deps: Deps) {
  const { streams, executions, instances, principals, settings } = deps
  const { executionStore, startStore, versionStore, liveExecutions } = deps

  /** 404, and 403 at `param`; also for a public workflow of another owner: its owner alone executes it. */
  const executable = async (by: Principal, workflowId: string, param?: string): Promise<Executable> =>
    owned(by, await startStore.findExecutable(workflowId), workflows.what, 'run', { param })

  async function start(
    by: Principal,
    { workflowId, param = '/workflowId', ...order }: ExecutionOrder
  ): Promise<Begun> {
    const workflow = await executable(by, workflowId, param)
    const { initiator } = by
    const owning = ({ project, owner, principal }: Executable) =>
      initiator === undefined || initiator === owner ? principal : principals.of(project, initiator)
    return begin(by, workflow, order, owning)
  }

  /** In the name of the workflow's owner, whose webhook it is. */
  const startOwn = (owner: Principal, workflow: Executable, order: Order): Promise<Begun> =>
    begin(owner, workflow, order, () => owner)

  /** A step of an execution that executes another workflow: the same one for the same attempt. */
  async function startNested({ live: { by, row: execution }, config, row, key }: Attempt): Promise<Begun> {
    const workflow = await executable(by, String(config.workflowId), '/config/workflowId')
    const parent = { rootId: execution.rootId, parentId: execution.id, parentStep: row.id }
    const order = { input: config.input, key, depth: execution.depth + 1 }
    return begin(by, workflow, order, () => by, parent)
  }

  /** Of a workflow that the principal may execute, as it was a moment ago. */
  async function begin(
    by: Principal,
    workflow: Executable,
    { input = {}, key, depth = 0 }: Order,
    owning: Owning,
    parent?: Parent
  ): Promise<Begun> {
    const { project, id: workflowId } = workflow
    const repetition = key === undefined ? undefined : repetitionOf(by, key, workflowId, input)
    const known = async () =>
      repetition
        ? repeated(await startStore.findRequested(project, repetition.key), repetition, workflowId)
        : undefined
    for (let current = workflow, tries = 0; tries < TRIES; tries++) {
      const row = newExecution(by, current, input, depth, parent)
      const definition = await versionStore.find(project, workflowId, current.version)
      try {
        await check(by, definition, row)
      } catch (error) {
        const before = await known()
        if (before) return before
        throw error
      }
      const owner = await owning(current)
      const acting = owner && delegated(owner, row.delegation)
      if (await insert(by, row, definition, acting, repetition)) return { id: row.id, workflowId }
      const before = await known()
      if (before) return before
      current = await executable(by, workflowId)
    }
    throw unavailable('The workflow is changed too often')
  }

  /** False when one with the same key was faster, or the workflow is gone. */
  async function insert(
    by: Principal,
    row: ExecutionRecord,
    definition: Definition | undefined,
    owner: Principal | undefined,
    repetition: Repetition | undefined
  ): Promise<boolean> {
    const { project, id } = row
    return executions.begin(EXECUTION, row, async (isOurs) => {
      const writer = streams.open(project, id, 'executionId')
      // That its definition or its owner is gone is found when it is claimed.
      const ours = isOurs && definition && owner ? { definition, owner } : undefined
      const instance = ours ? (instances.id() ?? null) : null
      const begun: ExecutionRecord = { ...row, status: ours ? 'running' : 'queued', instance }
      const live = ours && newLive(begun, ours.owner, writer, ours.definition)
      // Known before it is in the record, where it would look left behind.
      if (live) liveExecutions.add(live)
      const events = [statusEvent('queued'), ...(live ? [statusEvent('running')] : [])]
      const fact = factOf('workflows.started', row, by)
      let isRefused = false
      try {
        await writer.commit(events, async (chunk) => {
          isRefused = !(await startStore.insert({ row: begun, repetition, chunk, fact }))
          return !isRefused
        })
        // Another instance may have found it in the record by now, and claimed the stream.
        if (!live) await writer.release().catch(unlessLost)
        return true
      } catch (error) {
        if (live) liveExecutions.drop(live)
        if (isRefused) return false
        throw error
      }
    })
  }

  async function check(
    by: Principal,
    definition: Definition | undefined,
    { project, input, depth, rootId, parentId }: ExecutionRecord
  ): Promise<void> {
    if (Buffer.byteLength(encode(input)) > BYTES) throw invalid('/input', `input is more than ${BYTES} bytes`)
    const unfilled = definition && unfilledIn(definition)
    if (unfilled) throw conflict(unfilled, { code: 'workflow_incomplete' })
    const schema = definition?.inputSchema
    const fault = schema && (await examineValue(by, schema, input))
    if (fault) throw invalid(`/input${fault.at}`, `/input${fault.at} ${fault.text}`)
    if (depth > settings.maxDepth)
      throw exhausted(`More than ${settings.maxDepth} executions and runs lie above it`, { code: 'too_deep' })
    if (parentId !== null && (await executionStore.countOfRoot(project, rootId)) > settings.maxDescendants)
      throw exhausted(`More than ${settings.maxDescendants} executions descend from the first one`, {
        code: 'too_many_descendants'
      })
  }

  return { start, startOwn, startNested }
}

function unlessLost(error: unknown): void {
  if (!isStreamLost(error)) throw error
}
