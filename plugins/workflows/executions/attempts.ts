import type { Kernel } from 'agent-platform'
import { isDatabaseAway, isStreamLost, unlessAborted } from 'agent-platform'
import type { Completed, Kind, Waiting } from '../kinds/kind.ts'
import type { StepKinds } from '../kinds/step-kinds.ts'
import type { WorkflowSettings } from '../settings.ts'
import { actingOf } from './acting.ts'
import { attemptOf } from './attempt-of.ts'
import { checkConfig, checkedOutput, configOf, outputOf } from './evaluation.ts'
import { cutOff, failureOf, HAND_OVER, timedOut, unknownOutcome } from './failures.ts'
import type { StepRow } from './journal.ts'
import { StepFailure } from './journal.ts'
import type { JournalWriter } from './journal-writer.ts'
import type { Live } from './live.ts'
import type { Placed } from './plan.ts'
import { isContainer } from './plan.ts'
import { again, heldRow, secondsUntilRoom } from './room.ts'
import { newRow } from './scopes.ts'

export type Attempts = ReturnType<typeof createAttempts>

const LONGEST_BACKOFF = 86_400

interface Deps extends Pick<Kernel, 'principals' | 'log'> {
  settings: WorkflowSettings
  stepKinds: StepKinds
  journalWriter: JournalWriter
}

/** Makes steps: each attempt is in the journal before it is made, and its outcome after it. */
export function createAttempts({ principals, log, settings, stepKinds, journalWriter }: Deps) {
  const { write, defer } = journalWriter

  /** A first attempt, or one more after that of `before`. */
  async function begin(live: Live, placed: Placed, before: StepRow | undefined, signal: AbortSignal) {
    const fresh: StepRow = before ? again(before) : newRow(placed)
    let row = fresh
    try {
      const kind = stepKinds.of(placed.step.type)
      const config = await configOf(live, placed, signal)
      row = { ...fresh, input: config }
      checkConfig(placed, kind, config)
      if (isContainer(row.kind)) return await open(live, placed, row)
      if (kind.isPure)
        return await settle(live, placed, row, await kind.begin(attemptOf(live, placed, row, signal)), signal)
      await checkOwner(live)
      row = { ...row, ...kind.prepare?.() }
      await write(live, [row])
      await make(live, placed, row, kind, signal)
    } catch (error) {
      await fail(live, placed, row, error, signal)
    }
  }

  /** Ahead of each effect, as an execution may stay in memory for long: it ends when its owner is disabled, or its token ends. */
  async function checkOwner(live: Live): Promise<void> {
    const { refusal } = await actingOf(principals, live.row)
    live.refusal = refusal
    if (refusal) throw new StepFailure(refusal.code, refusal.message, { final: true })
  }

  const isSafe = async (live: Live, placed: Placed, row: StepRow, signal: AbortSignal) =>
    (await stepKinds.of(row.kind).isIdempotent?.(attemptOf(live, placed, row, signal))) ?? true

  /** An attempt that was cut when its process went, or was handed over. */
  async function recover(live: Live, placed: Placed, row: StepRow, signal: AbortSignal) {
    try {
      const kind = stepKinds.of(row.kind)
      const isSafe = (await kind.isIdempotent?.(attemptOf(live, placed, row, signal))) ?? true
      if (!isSafe) throw unknownOutcome('The step was interrupted')
      await make(live, placed, row, kind, signal)
    } catch (error) {
      await fail(live, placed, row, error, signal)
    }
  }

  /** What a step waits for has come. */
  async function resume(live: Live, placed: Placed, row: StepRow, signal: AbortSignal) {
    if (row.state?.retry === true) return begin(live, placed, row, signal)
    try {
      const kind = stepKinds.of(row.kind)
      const attempt = attemptOf(live, placed, row, signal)
      if (row.arrival?.by === 'time' && kind.cancel && !(await kind.hasEnded?.(attempt))) {
        await kind.cancel(live, [row])
        throw timedOut(placed.step.timeoutSeconds)
      }
      const outcome = await unlessAborted(
        signal,
        kind.resume?.(attempt) ?? Promise.reject(new Error('It does not wait'))
      )
      await settle(live, placed, row, outcome, signal)
    } catch (error) {
      await fail(live, placed, row, error, signal)
    }
  }

  /** A step that was said to wait may have come to its end before that. */
  async function check(live: Live, placed: Placed, row: StepRow, signal: AbortSignal) {
    const kind = stepKinds.of(row.kind)
    if (await kind.hasEnded?.(attemptOf(live, placed, row, signal))) await resume(live, placed, row, signal)
  }

  /** A step with steps inside: it is under way until they have ended. */
  async function open(live: Live, { step }: Placed, row: StepRow) {
    const opened =
      step.timeoutSeconds === undefined ? row : { ...row, deadline: inSeconds(step.timeoutSeconds) }
    if (opened.deadline) await write(live, [opened], { opens: opened })
    else await defer(live, [opened])
  }

  /** All steps inside of one have ended. */
  async function close(live: Live, placed: Placed, row: StepRow, signal: AbortSignal) {
    try {
      const output = await outputOf(live, placed, row, signal)
      await complete(live, row, { output })
    } catch (error) {
      await fail(live, placed, row, error, signal)
    }
  }

  async function make(live: Live, placed: Placed, row: StepRow, kind: Kind, signal: AbortSignal) {
    // What waits for something has its deadline in the record.
    const { timeoutSeconds = settings.stepSeconds } = placed.step
    const limit = kind.resume ? undefined : AbortSignal.timeout(timeoutSeconds * 1_000)
    const over = limit ? AbortSignal.any([signal, limit]) : signal
    const attempt = attemptOf(live, placed, row, over)
    try {
      const outcome = await unlessAborted(over, kind.begin(attempt))
      await settle(live, placed, row, outcome, signal)
    } catch (error) {
      if (!limit?.aborted || signal.aborted) throw error
      throw (await isSafe(live, placed, row, signal))
        ? timedOut(timeoutSeconds)
        : unknownOutcome(`The step took more than ${timeoutSeconds} s`)
    }
  }

  async function settle(
    live: Live,
    placed: Placed,
    row: StepRow,
    outcome: Completed | Waiting,
    signal: AbortSignal
  ) {
    if (!('waits' in outcome)) return complete(live, row, outcome)
    const { ref = null, state = null, cost = row.cost, awaits = false, events = [], deadline } = outcome.waits
    const isNew =
      row.deadline === null && (deadline !== undefined || placed.step.timeoutSeconds !== undefined)
    const until = deadline?.toISOString() ?? inSeconds(placed.step.timeoutSeconds ?? 0)
    const waiting: StepRow = {
      ...row,
      status: 'waiting',
      ref,
      state,
      cost,
      awaits,
      deadline: isNew ? until : row.deadline
    }
    await write(live, [waiting], { events, ...(isNew && { opens: waiting }) })
    if (ref !== null) await check(live, placed, live.rows.get(row.path) as StepRow, signal)
  }

  async function complete(
    live: Live,
    row: StepRow,
    { output, cost = row.cost, state = row.state }: Completed
  ) {
    const value = checkedOutput(live, row, output)
    const endedAt = new Date().toISOString()
    const done = { status: 'completed', output: value ?? null, cost, state, endedAt } as const
    const completed: StepRow = { ...row, ...done, error: null, deadline: null, awaits: false }
    // One that could have had an effect is over only when the record says so.
    const isKnown = live.rows.has(row.path) && !isContainer(row.kind)
    await (isKnown || row.deadline ? write : defer)(live, [completed])
  }

  /** One more attempt later, where there is one left; else it has failed. Rejects with what says nothing about the step. */
  async function fail(live: Live, placed: Placed, row: StepRow, error: unknown, signal: AbortSignal) {
    const isOfStep = error instanceof StepFailure
    if (!isOfStep && (isStreamLost(error) || isDatabaseAway(error))) throw error
    if (signal.aborted && signal.reason === HAND_OVER) return
    const now = new Date().toISOString()
    const over = { deadline: null, awaits: false, output: null }
    if (signal.aborted) {
      const isBegun = live.rows.get(row.path)?.status === 'running' && stepKinds.hasEffect(row.kind)
      const cancelled: StepRow = { ...row, ...over, status: 'cancelled', endedAt: now }
      return write(live, [isBegun ? cutOff(row) : cancelled])
    }
    const { code, message, final, cost = row.cost } = failureOf(error)
    const wait = isContainer(row.kind)
      ? undefined
      : await secondsUntilRoom(row, error, () => isSafe(live, placed, row, signal))
    if (wait !== undefined) {
      const held: StepRow = { ...heldRow(row, { code, message }), deadline: inSeconds(wait) }
      return write(live, [held], { opens: held })
    }
    if (code === 'internal')
      log.error({ err: error, execution: live.row.id, step: row.path }, 'a step failed')
    const { attempts = 1, backoffSeconds = 1 } = placed.step.retry ?? {}
    const failed = { ...row, ...over, cost, error: { code, message } }
    if (final || row.attempt >= attempts || isContainer(row.kind))
      return write(live, [{ ...failed, status: 'failed', endedAt: now }])
    const seconds = Math.min(backoffSeconds * 2 ** (row.attempt - 1), LONGEST_BACKOFF)
    const later: StepRow = {
      ...failed,
      status: 'waiting',
      ref: null,
      state: { retry: true },
      deadline: inSeconds(seconds)
    }
    await write(live, [later], { opens: later })
  }

  return { begin, recover, resume, check, close }
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
