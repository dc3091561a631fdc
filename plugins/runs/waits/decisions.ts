import type { Kernel, Principal } from 'agent-platform'
import { conflict, notFound, owned } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Jobs, Wait } from '../../jobs/contract.ts'
import { cleanText } from '../execute/sanitize.ts'
import type { RunService } from '../run-service.ts'
import type { Decision } from '../schemas/decisions.ts'
import type { Run } from '../schemas/runs.ts'
import type { ApprovalStore } from '../stores/approvals.ts'
import type { StoredRun } from '../stores/row.ts'
import type { RunStore } from '../stores/runs.ts'
import type { StepStore } from '../stores/steps.ts'
import type { Suspensions } from './suspensions.ts'

export type Decisions = ReturnType<typeof createDecisions>

interface Deps extends Pick<Kernel, 'transaction' | 'limits' | 'executions'> {
  agents: Agents
  jobs: Jobs
  approvalStore: ApprovalStore
  stepStore: StepStore
  runStore: RunStore
  runService: RunService
  suspensions: Suspensions
}

/** What was decided about calls; on any instance. */
export function createDecisions(deps: Deps) {
  const { transaction, limits, agents, jobs, approvalStore, runStore, stepStore, runService } = deps
  const { suspensions, executions } = deps

  /** 409 for a second decision, and for one after the deadline; 403 for any agent. */
  async function decide(by: Principal, runId: string, callId: string, decision: Decision): Promise<Run> {
    const run = await reached(by, runId)
    const call = await stepStore.find(run.project, runId, callId)
    if (!call || call.approvalDeadline === null) throw notFound('Call')
    const approves = decision.decision === 'approve'
    await transaction(async (trx) => {
      // Locked as by the step that begins to wait: one of the two sees the other.
      const open = await runStore.takeLocked(trx, run)
      await jobs.waits.settle(trx, run.project, callId)
      if (!open) throw conflict('The run has ended', { code: 'already_ended' })
      if (!approves) await stepStore.update(trx, run.project, callId, rejection(decision), true)
      else await stepStore.updateApproved(trx, run.project, callId)
      await suspensions.resume(trx, open)
      if (approves && decision.forSession) {
        const { project, sessionId, owner } = run
        const approvalFor = call.approvalFor as string
        await approvalStore.insert(trx, { project, sessionId, owner, approvalFor, approvedBy: by.id })
      }
    })
    // Where the run is being executed already, this does nothing.
    void executions.execute('run', runId)
    return runService.show((await runStore.find(runId)) ?? run)
  }

  /** The run, for the owner of its session or of its agent. */
  async function reached(by: Principal, runId: string): Promise<StoredRun> {
    const found = await runStore.find(runId)
    const agent = found?.project === by.project ? await agents.afresh(found.agentId) : undefined
    const run = owned(by, found, 'Run', 'change', { granted: agent?.agent.owner === by.owner })
    await limits.agent(by, run.agentId)
    return run
  }

  /** No decision came in time: that is an error for the model, and the run goes on. */
  async function expired({ project, id, subject }: Wait): Promise<void> {
    const settled = await transaction(async (trx) => {
      const open = await runStore.takeLocked(trx, { project, id: subject })
      if (!(await jobs.waits.expire(trx, project, id))) return false
      await stepStore.update(trx, project, id, 'This call was not approved in time, and was not made', true)
      if (open) await suspensions.resume(trx, open)
      return true
    })
    if (settled) void executions.execute('run', subject)
  }

  return { decide, expired }
}

const rejection = ({ comment }: Decision): string =>
  `This call was rejected, and was not made${comment ? `: ${cleanText(comment)}` : ''}`
