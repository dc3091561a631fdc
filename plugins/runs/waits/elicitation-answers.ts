import type { Kernel, Principal } from 'agent-platform'
import { conflict, examineValue, invalid, notFound } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import { cleanJson } from '../execute/sanitize.ts'
import type { RunService } from '../run-service.ts'
import type { QuestionAnswer } from '../schemas/decisions.ts'
import type { QuestionStore } from '../stores/questions.ts'
import type { RunStore } from '../stores/runs.ts'
import { answered } from './elicitations.ts'
import type { Suspensions } from './suspensions.ts'

export type ElicitationAnswers = ReturnType<typeof createElicitationAnswers>

interface Deps extends Pick<Kernel, 'transaction' | 'signals'> {
  jobs: Jobs
  questionStore: QuestionStore
  runStore: RunStore
  runService: RunService
  suspensions: Suspensions
}

/** Answers to what tools ask in the middle of a call. */
export function createElicitationAnswers({
  transaction,
  signals,
  jobs,
  questionStore,
  runStore,
  runService,
  suspensions
}: Deps) {
  /** 409 for a second one, and for one after the deadline or the end of the call; 403 for an agent, as approvals are. */
  return async function answer(
    by: Principal,
    runId: string,
    id: string,
    { action, content }: QuestionAnswer
  ) {
    const run = await runService.find(by, runId, 'change')
    const question = await questionStore.find(id)
    if (question?.runId !== runId) throw notFound('Elicitation')
    if (run.endedAt !== null && question.action === null)
      throw conflict('The run has ended', { code: 'already_ended' })
    const given = cleanJson(content ?? {})
    const fault = action === 'accept' ? await examineValue(by, question.schema, given) : undefined
    if (fault) throw invalid(`/content${fault.at}`, `/content${fault.at} ${fault.text}`)
    await transaction(async (trx) => {
      const open = await runStore.takeLocked(trx, run)
      await jobs.waits.settle(trx, run.project, id)
      if (!(await questionStore.update(trx, run.project, id, action, given)))
        throw conflict('That was answered already', { code: 'already_settled' })
      if (open) await suspensions.resume(trx, open)
    })
    signals.send(answered, id)
    return runService.show((await runStore.find(runId)) ?? run)
  }
}
