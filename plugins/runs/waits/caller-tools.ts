import type { Kernel, Principal } from 'agent-platform'
import { conflict, notFound } from 'agent-platform'
import type { Jobs, Wait } from '../../jobs/contract.ts'
import { capped } from '../execute/sanitize.ts'
import type { RunService } from '../run-service.ts'
import type { Run, ToolAnswer } from '../schemas/runs.ts'
import type { RunStore } from '../stores/runs.ts'
import type { StepStore } from '../stores/steps.ts'
import type { Suspensions } from './suspensions.ts'

export type CallerTools = ReturnType<typeof createCallerTools>

interface Deps extends Pick<Kernel, 'transaction' | 'executions'> {
  jobs: Jobs
  runStore: RunStore
  stepStore: StepStore
  runService: RunService
  suspensions: Suspensions
}

/** Results of calls that the caller makes; they may come to any instance. */
export function createCallerTools(deps: Deps) {
  const { transaction, jobs, runStore, stepStore, runService, executions, suspensions } = deps

  /** 409 for a second one, and for one after the deadline. */
  async function answer(by: Principal, { runId, callId, output, isError = false }: ToolAnswer): Promise<Run> {
    const run = await runService.find(by, runId, 'change', '/runId')
    const call = await stepStore.find(run.project, runId, callId)
    if (!call || call.callerDeadline === null) throw notFound('Call', { param: '/callId' })
    await transaction(async (trx) => {
      // Locked as by the step that begins to wait: one of the two sees the other.
      const open = await runStore.takeLocked(trx, run)
      await jobs.waits.settle(trx, run.project, callId)
      if (!open) throw conflict('The run has ended', { code: 'already_ended' })
      await stepStore.update(trx, run.project, callId, capped(output), isError)
      await suspensions.resume(trx, open)
    })
    // Where the run is being executed already, this does nothing.
    void executions.execute('run', runId)
    return runService.show((await runStore.find(runId)) ?? run)
  }

  /** No result came in time: that is an error for the model, and the run goes on. */
  async function expired({ project, id, subject }: Wait): Promise<void> {
    const run = { project, id: subject }
    const settled = await transaction(async (trx) => {
      const open = await runStore.takeLocked(trx, run)
      if (!(await jobs.waits.expire(trx, project, id))) return false
      await stepStore.update(trx, project, id, 'The caller did not answer in time', true)
      if (open) await suspensions.resume(trx, open)
      return true
    })
    if (settled) void executions.execute('run', subject)
  }

  return { answer, expired }
}
