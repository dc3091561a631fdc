import { setTimeout as delay } from 'node:timers/promises'
import type { Kernel } from 'agent-platform'
import { isDatabaseAway, isStreamLost, newId } from 'agent-platform'
import type { Jobs, Wait } from '../../jobs/contract.ts'
import type { Answer, Question, Resumed } from '../contract.ts'
import { HAND_OVER } from '../execute/failures.ts'
import type { Live } from '../execute/live-runs.ts'
import { cleanJson, cleanText } from '../execute/sanitize.ts'
import type { RunSettings } from '../settings.ts'
import type { QuestionStore } from '../stores/questions.ts'
import type { RunStore } from '../stores/runs.ts'
import type { Suspensions } from './suspensions.ts'

export type Elicitations = ReturnType<typeof createElicitations>

/** Signal: a question was answered. */
export const answered = 'runs.answered'
/** Between two looks at the record, should the signal be lost. */
const LOOK_MS = 2_000
const MESSAGE = 10_000
const SCHEMA = 20_000
const RESUME = 65_536

interface Deps extends Pick<Kernel, 'transaction' | 'signals' | 'vault'> {
  settings: RunSettings
  jobs: Jobs
  questionStore: QuestionStore
  runStore: RunStore
  suspensions: Suspensions
}

/**
 * What tools ask in the middle of a call: the call goes on here when the answer came, to whichever instance; or in the
 * process that takes the run over, where the tool said how.
 */
export function createElicitations(deps: Deps) {
  const { transaction, signals, vault, settings, jobs, questionStore, runStore, suspensions } = deps
  const sealing = vault.at('runs.question', 'resume')

  /** `cancel` when no answer came in time. Rejects with the signal's reason. */
  async function ask(
    live: Live,
    callId: string,
    { message, schema }: Question,
    signal: AbortSignal,
    resume?: unknown
  ): Promise<Answer> {
    signal.throwIfAborted()
    const { run, writer } = live
    const { project, id: runId, owner } = run
    const id = newId('elicit')
    const deadline = new Date(Date.now() + settings.callerSeconds * 1_000)
    if (JSON.stringify(schema).length > SCHEMA) return { action: 'cancel' }
    const asked = {
      callId,
      message: cleanText(message.slice(0, MESSAGE)),
      schema: cleanJson(schema) as Readonly<Record<string, unknown>>,
      deadline: deadline.toISOString()
    }
    const text = resume === undefined ? '' : JSON.stringify(resume)
    const isKept = text !== '' && text.length <= RESUME
    const sealed = isKept ? await sealing.seal(project, id, text) : null
    const events = [
      { type: 'elicitation_request', fields: { elicitationId: id, ...asked } },
      { type: 'status', fields: { status: 'waiting' } }
    ]
    await writer.commit(events, (chunk) =>
      transaction(async (trx) => {
        const locked = await runStore.takeLocked(trx, run)
        await chunk.insert(trx)
        await questionStore.insert(trx, { project, id, owner, runId, ...asked, resume: sealed })
        await jobs.waits.open(trx, { id, project, owner, waiter: 'runs.question', subject: runId, deadline })
        if (locked) await suspensions.suspend(trx, locked)
        return true
      })
    )
    return answerTo(live, id, signal, isKept)
  }

  async function answerTo({ run, writer, over }: Live, id: string, signal: AbortSignal, isKept: boolean) {
    const { project, id: runId } = run
    // Callers that wait for the run's end learn that it waits.
    over.resolve(undefined)
    try {
      const answer = await answerOf(project, id, signal)
      if (isKept) await questionStore.settleResumed(project, id)
      if ((await questionStore.listOpen(project, runId)).length === 0)
        writer.append('status', { status: 'running' })
      return answer
    } catch (error) {
      const goesOn = isKept && (signal.reason === HAND_OVER || isDatabaseAway(error) || isStreamLost(error))
      if (!goesOn) await expired({ project, id, subject: runId }).catch(() => undefined)
      throw error
    }
  }

  /** Of a call whose process is gone: waits for the answer to what it asked, if it said how it goes on. */
  async function resumed(live: Live, callId: string, signal: AbortSignal): Promise<Resumed | undefined> {
    const { project } = live.run
    const question = await questionStore.findResumable(project, callId)
    if (!question) return undefined
    const resume: unknown = JSON.parse(await sealing.open(project, question.id, question.resume))
    live.writer.append('status', { status: 'waiting' })
    return { resume, answer: await answerTo(live, question.id, signal, true) }
  }

  async function answerOf(project: string, id: string, signal: AbortSignal): Promise<Answer> {
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

  /** No answer counts any more: `cancel`, unless one was faster. */
  async function expired({ project, id, subject }: Pick<Wait, 'project' | 'id' | 'subject'>): Promise<void> {
    await transaction(async (trx) => {
      const open = await runStore.takeLocked(trx, { project, id: subject })
      if (!(await questionStore.update(trx, project, id, 'cancel', null))) return
      if (!(await jobs.waits.expire(trx, project, id))) await jobs.waits.settle(trx, project, id)
      if (open) await suspensions.resume(trx, open)
    }).catch((error) => {
      if (error.code !== 'already_settled') throw error
    })
    signals.send(answered, id)
  }

  return { ask, resumed, expired }
}
