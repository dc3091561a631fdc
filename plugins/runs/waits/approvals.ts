import type { EventInput, Kernel } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Tool } from '../contract.ts'
import type { Live } from '../execute/live-runs.ts'
import type { RunSettings } from '../settings.ts'
import type { ApprovalStore } from '../stores/approvals.ts'
import type { CallRow, StepStore } from '../stores/steps.ts'

export type Approvals = ReturnType<typeof createApprovals>

export const WAITER = 'runs.approval'

interface Deps extends Pick<Kernel, 'transaction'> {
  settings: RunSettings
  jobs: Jobs
  approvalStore: ApprovalStore
  stepStore: StepStore
}

/** Calls that have to be approved before they are made. */
export function createApprovals({ transaction, settings, jobs, approvalStore, stepStore }: Deps) {
  /** Asks for those that need it, and that nothing was decided about; once a call. */
  async function ask(live: Live, calls: readonly CallRow[], tools: ReadonlyMap<string, Tool>): Promise<void> {
    const { run, writer } = live
    const asking = calls.filter(
      ({ toolName, args, begun, approvalDeadline }) =>
        args !== null && !begun && approvalDeadline === null && tools.get(toolName)?.approval !== undefined
    )
    if (asking.length === 0) return
    const given = await approvalStore.list(run.project, run.sessionId)
    const deadline = new Date(Date.now() + settings.approvalSeconds * 1_000)
    const open: CallRow[] = []
    for (const call of asking) {
      const tool = tools.get(call.toolName)
      call.approvalFor = tool?.approval ?? null
      if (!tool?.approvedEach && given.has(call.approvalFor ?? '')) call.approved = true
      else open.push(Object.assign(call, { approvalDeadline: deadline.toISOString() }))
    }
    if (open.length === 0) return
    await writer.commit(open.map(requestOf), (chunk) =>
      transaction(async (trx) => {
        await chunk.insert(trx)
        await stepStore.updateAsked(trx, run, open, chunk.row.last)
        const { project, id: subject, owner } = run
        for (const { id } of open)
          await jobs.waits.open(trx, { id, project, owner, waiter: WAITER, subject, deadline })
        return true
      })
    )
  }

  return { ask }
}

const requestOf = ({ id: callId, toolName, args, approvalDeadline }: CallRow): EventInput => ({
  type: 'approval_request',
  fields: { callId, toolName, args, deadline: approvalDeadline }
})
