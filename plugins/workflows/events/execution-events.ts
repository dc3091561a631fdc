import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, invalid, newId } from 'agent-platform'
import type { Arrivals } from '../executions/arrivals.ts'
import { BYTES } from '../executions/failures.ts'
import type { ExecutionRecord, StepRow } from '../executions/journal.ts'
import { isOpen } from '../executions/journal.ts'
import { waitIdOf } from '../executions/journal-writer.ts'
import type { Lanes } from '../executions/lanes.ts'
import type { EventRequest, ReceivedEvent } from '../schemas/events.ts'
import type { EventRow, EventStore } from '../stores/events.ts'
import type { ExecutionStore } from '../stores/executions.ts'
import { encode } from '../stores/json.ts'
import type { Executable, Repetition } from '../stores/starts.ts'
import type { StepStore } from '../stores/steps.ts'
import type { VersionStore } from '../stores/versions.ts'
import type { Sent } from './awaiting.ts'
import { addressOf, checkSent, configOf, faultOf, isMeant } from './awaiting.ts'
import type { KeptEvents } from './kept-events.ts'

export type ExecutionEvents = ReturnType<typeof createExecutionEvents>

/** A step began to wait since its schema was asked. */
const MISSED = new Error('A step waits that was not examined')
const TRIES = 8

interface Deps extends Pick<Kernel, 'transaction' | 'facts'> {
  executionStore: ExecutionStore
  stepStore: StepStore
  versionStore: VersionStore
  eventStore: EventStore
  keptEvents: KeptEvents
  arrivals: Arrivals
  lanes: Lanes
}

type Target = Pick<Executable, 'project' | 'owner' | 'id' | 'version'>
type Request = Omit<EventRequest, 'key'> & { readonly key?: string | null }
type Waiting = StepRow & { readonly executionId: string }

/** Events from outside, for steps that wait for them or are going to. */
export function createExecutionEvents(deps: Deps) {
  const { transaction, facts, executionStore, stepStore, versionStore, eventStore, keptEvents, arrivals } =
    deps

  /**
   * To an execution, or by its key to the one of the workflow that waits for that. Taken by one step, once; 429 where too
   * many are sent there at once.
   */
  const send = (
    by: Principal,
    workflow: Target,
    execution: ExecutionRecord | undefined,
    request: Request,
    repetition?: Repetition
  ): Promise<ReceivedEvent> =>
    deps.lanes.take(execution?.id ?? workflow.id, () =>
      sendInTurn(by, workflow, execution, request, repetition)
    )

  async function sendInTurn(
    by: Principal,
    workflow: Target,
    execution: ExecutionRecord | undefined,
    { event, key = null, data = null }: Request,
    repetition?: Repetition
  ): Promise<ReceivedEvent> {
    const sent: Sent = { event, key, data }
    const { project } = workflow
    const size = Buffer.byteLength(encode(data))
    if (size > BYTES) throw invalid('/data', `data is more than ${BYTES} bytes`)
    const before = repetition && (await repeated(project, repetition))
    if (before) return before
    if (execution && execution.endedAt !== null) throw ended()
    const version = execution?.workflowVersion ?? workflow.version
    const definition = await versionStore.find(project, workflow.id, version)
    if (definition) await checkSent(by, definition, sent, execution !== undefined)
    for (let tries = 0; ; tries++) {
      const accepts = await acceptance(by, project, workflow.id, execution, sent)
      try {
        const row = await transaction((trx) =>
          record(trx, by, { workflow, execution, sent, size, accepts, repetition })
        )
        return shown(row)
      } catch (error) {
        const isUnique = (error as { code?: unknown }).code === '23505'
        const made = isUnique && repetition && (await repeated(project, repetition))
        if (made) return made
        if (error !== MISSED || tries === TRIES) throw error
      }
    }
  }

  async function repeated(project: string, { key, digest }: Repetition): Promise<ReceivedEvent | undefined> {
    const found = await eventStore.findRequested(project, key)
    if (found && found.requestDigest !== digest)
      throw conflict('The key was used with another event', { code: 'idempotency_key_reused' })
    return found && shown(found)
  }

  const listWaiting = (
    project: string,
    workflowId: string,
    execution: ExecutionRecord | undefined,
    { event, key }: Sent,
    trx?: Trx
  ): Promise<readonly Waiting[]> =>
    execution
      ? stepStore.listAwaiting(project, { executionId: execution.id, event }, trx)
      : stepStore.listAwaiting(project, { ref: addressOf(workflowId, event, key) }, trx)

  /** By the ids of steps that wait for it, whether its data is what they want: asked ahead of what is locked. */
  async function acceptance(
    by: Principal,
    project: string,
    workflowId: string,
    execution: ExecutionRecord | undefined,
    sent: Sent
  ): Promise<ReadonlyMap<string, boolean>> {
    const accepts = new Map<string, boolean>()
    const known = new Map<string, boolean>()
    for (const row of await listWaiting(project, workflowId, execution, sent)) {
      const config = configOf(row)
      const schema = JSON.stringify(config.schema ?? null)
      if (!known.has(schema)) known.set(schema, !(await faultOf(by, config, sent.data)))
      accepts.set(row.id, isMeant(config, sent) && known.get(schema) === true)
    }
    return accepts
  }

  interface Order {
    readonly workflow: Target
    readonly execution: ExecutionRecord | undefined
    readonly sent: Sent
    readonly size: number
    readonly accepts: ReadonlyMap<string, boolean>
    readonly repetition: Repetition | undefined
  }

  /** Locks in the order of everything here: workflow, execution, wait, step. */
  async function record(trx: Trx, by: Principal, order: Order): Promise<EventRow> {
    const { workflow, execution, sent, size, accepts, repetition } = order
    const { project, owner, id: workflowId } = workflow
    const locked = await keptEvents.lock(trx, { project, workflowId, executionId: execution?.id ?? null })
    if (!locked) throw ended()
    let taker: Waiting | undefined
    for (const row of await listWaiting(project, workflowId, execution, sent, trx)) {
      const accepted = accepts.get(row.id)
      if (accepted === undefined) throw MISSED
      if (accepted && (await take(trx, by, project, row))) {
        taker = row
        break
      }
    }
    const executionId = execution?.id ?? taker?.executionId ?? null
    const { event: name, key, data } = sent
    const fields = { project, id: newId('event'), owner, workflowId, executionId, name, key, data, size }
    const row = await eventStore.insert(trx, { ...fields, takenBy: taker?.id ?? null }, repetition)
    if (!taker) await keptEvents.checkRoom(trx, row)
    await facts.record(trx, 'workflows.event_received', by, {
      subject: executionId ?? workflowId,
      owner,
      data: { eventId: row.id, event: name, workflowId, executionId }
    })
    return row
  }

  /** The step goes on; false where it waits no more. */
  async function take(
    trx: Trx,
    by: Principal,
    project: string,
    { id, executionId }: Waiting
  ): Promise<boolean> {
    const locked = await executionStore.lock(trx, project, executionId)
    const now = await stepStore.find(project, id, trx)
    if (!now || !isOpen(now) || now.arrival !== null) return false
    if (!(await keptEvents.settle(trx, project, waitIdOf(now)))) return false
    await arrivals.answered(trx, { project, executionId, id }, { by: 'event' }, locked?.status, by)
    return true
  }

  return { send }
}

const ended = () => conflict('The execution has ended', { code: 'already_ended' })

const shown = ({ id, workflowId, executionId, name, key, takenBy, createdAt }: EventRow): ReceivedEvent => ({
  id,
  workflowId,
  executionId,
  event: name,
  key,
  taken: takenBy !== null,
  createdAt
})
