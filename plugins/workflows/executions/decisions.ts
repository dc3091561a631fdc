import type { Kernel, Principal, Trx } from 'agent-platform'
import { conflict, examineValue, forbidden, invalid, notFound, owned } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { DecisionRequest } from '../schemas/executions.ts'
import type { ExecutionStore } from '../stores/executions.ts'
import { encode } from '../stores/json.ts'
import type { StepStore } from '../stores/steps.ts'
import type { Arrivals } from './arrivals.ts'
import { BYTES } from './failures.ts'
import type { Decision, ExecutionRecord, StepRow } from './journal.ts'
import { isOpen } from './journal.ts'
import { waitIdOf } from './journal-writer.ts'
import type { Lanes } from './lanes.ts'

export type Decisions = ReturnType<typeof createDecisions>

interface Deps extends Pick<Kernel, 'transaction'> {
  jobs: Jobs
  executionStore: ExecutionStore
  stepStore: StepStore
  arrivals: Arrivals
  lanes: Lanes
}

const DECIDED = { by: 'decision' } as const

/** What is said from outside about steps that wait for it. */
export function createDecisions({ transaction, jobs, executionStore, stepStore, arrivals, lanes }: Deps) {
  /** 409 for a second decision, and for one after the deadline; 403 for agents, and for who is neither owner nor listed. */
  async function decide(
    by: Principal,
    found: ExecutionRecord | undefined,
    decision: Decision['decision'],
    { stepId, comment, data = null }: DecisionRequest
  ): Promise<StepRow> {
    const rows = found ? await stepStore.list(found.project, found.id) : []
    const waiting = rows.filter(
      (row) => isOpen(row) && row.awaits && (row.kind === 'approval' || row.kind === 'wait')
    )
    // A listed principal learns nothing of executions that do not ask it.
    const isAsked = waiting.some((row) => isListed(by, row))
    const execution = owned(by, found, 'Execution', 'change', { granted: isAsked })
    const isOwner = isOwnerOf(by, execution)
    if (by.type === 'agent') throw forbidden('An agent may not decide', { code: 'agents_may_not_decide' })
    const step = chosen(
      execution,
      rows,
      isOwner ? waiting : waiting.filter((row) => isListed(by, row)),
      stepId
    )
    await check(by, step, decision, data)
    const { project, id: executionId } = execution
    const settle = async (trx: Trx): Promise<void> => {
      const locked = await executionStore.lock(trx, project, executionId)
      const now = await stepStore.find(project, step.id, trx)
      // It may have been rejected, cancelled or ended since it was read.
      if (!now || !isOpen(now) || now.arrival !== null || now.attempt !== step.attempt)
        throw conflict('The step waits for no decision any more', { code: 'already_settled' })
      const made = now.decisions ?? []
      const who = by.initiator ?? by.id
      if (made.some((one) => one.by === who))
        throw conflict('It was decided already', { code: 'already_settled' })
      const at = new Date()
      if (new Date(step.deadline ?? at) < at)
        throw conflict('The deadline has passed', { code: 'already_settled' })
      const decisions = [...made, { by: who, decision, comment: comment ?? null, data, at: at.toISOString() }]
      const isLast = decision === 'reject' || decisions.length >= countOf(step)
      if (isLast) await jobs.waits.settle(trx, project, waitIdOf(step))
      if (isLast)
        await arrivals.answered(trx, { project, executionId, id: step.id }, DECIDED, locked?.status, by)
      await stepStore.updateDecisions(trx, project, step.id, decisions)
    }
    await lanes.take(executionId, () => transaction(settle))
    return step
  }

  async function check(by: Principal, step: StepRow, decision: Decision['decision'], data: unknown) {
    if (Buffer.byteLength(encode(data)) > BYTES) throw invalid('/data', `data is more than ${BYTES} bytes`)
    const { form, schema } = step.input as { form?: object; schema?: object }
    if (decision === 'reject' && (schema || data === null)) return
    const fault = schema
      ? await examineValue(by, schema, data)
      : form && (await examineValue(by, form, data ?? {}))
    if (fault) throw invalid(`/data${fault.at}`, `/data${fault.at} ${fault.text}`)
  }

  return { decide }
}

const isOwnerOf = (by: Principal, row: ExecutionRecord): boolean =>
  by.project === row.project &&
  (by.type === 'service' && !by.initiator ? true : row.owner === (by.initiator ?? by.id))

const isListed = (by: Principal, { input }: StepRow): boolean =>
  ((input as { principals?: readonly string[] } | null)?.principals ?? []).includes(by.initiator ?? by.id)

const countOf = ({ input }: StepRow): number => (input as { count?: number }).count ?? 1

/** The step that is meant: by its id or path, or the one that waits. */
function chosen(
  { endedAt }: ExecutionRecord,
  rows: readonly StepRow[],
  waiting: readonly StepRow[],
  stepId: string | undefined
): StepRow {
  const isMeant = (row: StepRow) => stepId === undefined || row.path === stepId || row.stepId === stepId
  const [step, ...more] = waiting.filter(isMeant)
  if (step && more.length === 0) return step
  if (step)
    throw invalid(
      '/stepId',
      `Several steps wait: stepId must be one of ${waiting.map(({ path }) => path).join(', ')}`
    )
  if (stepId !== undefined && !rows.some(isMeant)) throw notFound('Step', { param: '/stepId' })
  if (endedAt !== null) throw conflict('The execution has ended', { code: 'already_ended' })
  const settled = { code: 'already_settled' }
  throw conflict(
    stepId === undefined ? 'No step waits for a decision' : 'The step waits for no decision',
    settled
  )
}
