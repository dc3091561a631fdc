import type { Kernel, Principal } from 'agent-platform'
import { conflict, notFound } from 'agent-platform'
import type { Jobs, Wait } from '../../jobs/contract.ts'
import type { Run, ToolAnswer } from '../schemas/runs.ts'
import type { RunStore } from '../stores/runs.ts'
import type { StepStore } from '../stores/steps.ts'
import { capped } from './clean.ts'
import type { Driver } from './driver.ts'
import type { RunService } from './runs.ts'

export type Answers = ReturnType<typeof createAnswers>

interface Deps extends Pick<Kernel, 'transaction'> {
  jobs: Jobs
  runStore: RunStore
  stepStore: StepStore
  runService: RunService
  driver: Driver
}

/** Results of calls that the caller makes himself; they may come to any instance. */
export function createAnswers({ transaction, jobs, runStore, stepStore, runService, driver }: Deps) {
  /** 409 for a second one, and for one after the deadline. */
  async function answer(by: Principal, { runId, callId, output, isError = false }: ToolAnswer): Promise<Run> {
    const run = await runService.find(by, runId, 'change', '/runId')
    const call = await stepStore.find(run.project, runId, callId)
    if (!call || call.callerDeadline === null) throw notFound('Call', { param: '/callId' })
    await transaction(async (trx) => {
      // Locked as its owner does before he lets go of it: one of the two sees the other.
      const open = await runStore.takeLocked(trx, run)
      await jobs.waits.settle(trx, run.project, callId)
      if (!open) throw conflict('The run has ended', { code: 'already_ended' })
      await stepStore.update(trx, run.project, callId, capped(output), isError)
    })
    // Whoever has the run open sees to it by himself.
    void driver.drive(runId)
    return runService.show((await runStore.find(runId)) ?? run)
  }

  /** Nobody answered in time: the model is told so, and the run goes on. */
  async function expired({ project, id, subject }: Wait): Promise<void> {
    const run = { project, id: subject }
    const settled = await transaction(async (trx) => {
      await runStore.takeLocked(trx, run)
      if (!(await jobs.waits.expire(trx, project, id))) return false
      await stepStore.update(trx, project, id, 'The caller did not answer in time', true)
      return true
    })
    if (settled) void driver.drive(subject)
  }

  return { answer, expired }
}
