import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel, Principal } from 'agent-platform'
import { conflict, forbidden, newId, notFound } from 'agent-platform'
import type { Jobs, Wait } from '../../jobs/contract.ts'
import type { Answer, Question } from '../contract.ts'
import type { QuestionAnswer } from '../schemas/decisions.ts'
import type { RunSettings } from '../settings.ts'
import type { QuestionStore } from '../stores/questions.ts'
import type { RunStore } from '../stores/runs.ts'
import { cleanJson, cleanText } from './clean.ts'
import { persist } from './commits.ts'
import type { Live } from './live-runs.ts'
import type { RunService } from './runs.ts'

export type Questions = ReturnType<typeof createQuestions>

/** Signal: a question was answered. */
const answered = 'runs.answered'
/** Between two looks at the record, should the signal be lost. */
const LOOK_MS = 2_000
const MESSAGE = 10_000
const SCHEMA = 20_000

interface Deps extends Pick<Kernel, 'transaction' | 'signals'> {
  settings: RunSettings
  jobs: Jobs
  questionStore: QuestionStore
}

/** What tools ask in the middle of a call: the call goes on here when the answer came, to whichever instance. */
export function createQuestions({ transaction, signals, settings, jobs, questionStore }: Deps) {
  /** `cancel` when nobody answered in time. Rejects with the signal's reason. */
  async function ask(
    { run, writer }: Live,
    callId: string,
    { message, schema }: Question,
    signal: AbortSignal
  ): Promise<Answer> {
    signal.throwIfAborted()
    const { project, id: runId, owner } = run
    const id = newId('elicit')
    const deadline = new Date(Date.now() + settings.callerSeconds * 1_000)
    if (JSON.stringify(schema).length > SCHEMA) return { action: 'cancel' }
    const fields = {
      elicitationId: id,
      callId,
      message: cleanText(message.slice(0, MESSAGE)),
      schema: cleanJson(schema),
      deadline: deadline.toISOString()
    }
    await persist(
      () => writer.chunk({ events: [{ type: 'elicitation_request', fields }] }),
      (chunk) =>
        transaction(async (trx) => {
          if (!(await questionStore.insert(trx, { project, id, owner, runId, callId }, chunk))) return false
          await jobs.waits.open(trx, {
            id,
            project,
            owner,
            waiter: 'runs.question',
            subject: runId,
            deadline
          })
          return true
        })
    )
    try {
      return await told(project, id, signal)
    } catch (error) {
      await expired({ project, id }).catch(() => undefined)
      throw error
    }
  }

  async function told(project: string, id: string, signal: AbortSignal): Promise<Answer> {
    for (;;) {
      const woken = new AbortController()
      using _hearing = signals.on(answered, (data) => data === id && woken.abort())
      const row = await questionStore.find(id)
      if (!row) return { action: 'cancel' }
      if (row.project === project && row.action !== null)
        return { action: row.action, ...(row.action === 'accept' && { content: row.content ?? {} }) }
      signal.throwIfAborted()
      await delay(LOOK_MS, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(
        () => undefined
      )
      signal.throwIfAborted()
    }
  }

  /** Nobody answers any more: `cancel`, unless somebody was faster. */
  async function expired({ project, id }: Pick<Wait, 'project' | 'id'>): Promise<void> {
    await transaction(async (trx) => {
      if (!(await questionStore.update(trx, project, id, 'cancel', null))) return
      if (!(await jobs.waits.expire(trx, project, id))) await jobs.waits.settle(trx, project, id)
    }).catch((error) => {
      if (error.code !== 'already_settled') throw error
    })
    signals.send(answered, id)
  }

  return { ask, expired }
}

export type QuestionAnswers = ReturnType<typeof createQuestionAnswers>

interface AnswerDeps extends Omit<Deps, 'settings'> {
  runStore: RunStore
  runService: RunService
}

/** Answers to those questions. */
export function createQuestionAnswers({
  transaction,
  signals,
  jobs,
  questionStore,
  runStore,
  runService
}: AnswerDeps) {
  /** 409 for a second one, and for one after the deadline or the end of the call; 403 for an agent, as approvals are. */
  return async function answer(
    by: Principal,
    runId: string,
    id: string,
    { action, content }: QuestionAnswer
  ) {
    if (by.type === 'agent')
      throw forbidden('An agent cannot answer what its tools ask', { code: 'agents_do_not_answer' })
    const run = await runService.find(by, runId, 'change')
    const question = await questionStore.find(id)
    if (question?.runId !== runId) throw notFound('Elicitation')
    await transaction(async (trx) => {
      await jobs.waits.settle(trx, run.project, id)
      if (!(await questionStore.update(trx, run.project, id, action, cleanJson(content ?? {}))))
        throw conflict('That was answered already', { code: 'already_settled' })
    })
    signals.send(answered, id)
    return runService.show((await runStore.find(runId)) ?? run)
  }
}
