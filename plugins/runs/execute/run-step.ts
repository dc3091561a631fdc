import type { Kernel } from 'agent-platform'
import { isDatabaseAway, isStreamLost } from 'agent-platform'
import type { FinishReason } from '../schemas/runs.ts'
import type { RunSettings } from '../settings.ts'
import { isToRepair } from './answer-repair.ts'
import type { AvailableTools } from './available-tools.ts'
import { limitsOf } from './call-options.ts'
import { HAND_OVER, RunFailure, runErrorOf } from './failures.ts'
import type { Fallbacks } from './fallbacks.ts'
import type { Finished, FinishRun } from './finish-run.ts'
import type { Live } from './live-runs.ts'
import { checkLoop } from './loop-detection.ts'
import type { ModelStep } from './model-step.ts'
import type { ToolStep } from './tool-step.ts'

export type RunStep = ReturnType<typeof createRunStep>

/** What comes of a step. */
export type StepOutcome =
  /** There is more to do. */
  | 'again'
  /** For a result, an approval or an answer: the record says so. */
  | 'waits'
  /** It goes on in another generation, or on another instance. */
  | 'handed over'
  /** Another process writes its stream, or its end could not be recorded: it is what the record says. */
  | 'left'
  | Finished

interface Deps extends Pick<Kernel, 'log'> {
  settings: RunSettings
  finishRun: FinishRun
  modelStep: ModelStep
  fallbacks: Fallbacks
  toolStep: ToolStep
  availableTools: AvailableTools
}

/** How long calls of tools may go on when their process or generation is to be left. */
const CALLS_MS = 10_000

/** A step of a run: a reply of the model, or the calls that the last reply asks for. It ends when a reply asks for nothing. */
export function createRunStep(deps: Deps) {
  const { log, settings, finishRun, modelStep, fallbacks, toolStep, availableTools } = deps

  async function runStep(live: Live, handOver: AbortSignal): Promise<StepOutcome> {
    const cut = new AbortController()
    // A reply can be asked for again; the outcome of a call that is cut would be lost.
    const late = new AbortController()
    let patience: NodeJS.Timeout | undefined
    const end = (reason: unknown) => {
      cut.abort(reason)
      late.abort(reason)
    }
    const stop = () => end(live.stop.signal.reason)
    const leave = () => {
      cut.abort(HAND_OVER)
      patience = setTimeout(() => late.abort(HAND_OVER), CALLS_MS)
    }
    live.stop.signal.addEventListener('abort', stop)
    handOver.addEventListener('abort', leave)
    const { seconds } = limitsOf(live, settings)
    const left = live.begun + seconds * 1_000 - performance.now()
    // What its caller may not do any more it does not go on with.
    const { endsAt = Number.POSITIVE_INFINITY } = live.by.attenuation ?? {}
    const valid = endsAt - Date.now()
    const over = valid < left ? expired : tooLong(seconds)
    const limit = setTimeout(() => end(over), Math.max(Math.min(left, valid), 0))
    try {
      if (live.run.cancelledFor !== null) stop()
      if (handOver.aborted) leave()
      if (valid <= 0) end(expired)
      cut.signal.throwIfAborted()
      return await step(live, cut, late.signal)
    } catch (error) {
      const { signal } = late.signal.aborted ? late : cut
      return await ended(live, signal.aborted ? signal.reason : error)
    } finally {
      clearTimeout(limit)
      clearTimeout(patience)
      live.stop.signal.removeEventListener('abort', stop)
      handOver.removeEventListener('abort', leave)
    }
  }

  async function step(live: Live, cut: AbortController, late: AbortSignal): Promise<StepOutcome> {
    const last = live.steps.at(-1)
    if (last?.calls.some(({ published }) => !published)) return toolStep.finish(live, last, late)
    const { maxSteps } = limitsOf(live, settings)
    if (live.steps.length >= maxSteps)
      throw new RunFailure('upstream', 'step_limit', `The run took more than ${maxSteps} steps`)
    checkLoop(live, settings)
    const tools = await availableTools.list(live)
    await fallbacks.prepare(live)
    const reply = await modelStep.ask(live, tools, cut).catch(async (error) => {
      await fallbacks.next(live, cut.signal.aborted ? cut.signal.reason : error)
    })
    if (!reply) return 'again'
    await fallbacks.succeeded(live)
    if (reply.calls.length > 0) {
      await toolStep.record(live, reply, tools)
      return 'again'
    }
    live.usage.push(reply.usage)
    const { origin, parts, finishReason, text } = reply
    const failure = text.trim() === '' ? emptiness[finishReason] : undefined
    if (failure) throw failure
    if (await isToRepair(live, reply)) return 'again'
    return finishRun(live, { status: 'completed', reply: { origin, parts }, finishReason })
  }

  async function ended(live: Live, reason: unknown): Promise<StepOutcome> {
    if (isStreamLost(reason)) return 'left'
    // Nothing is wrong with the run: the instance that reaches the database again claims it.
    if (reason === HAND_OVER || isDatabaseAway(reason)) return 'handed over'
    try {
      if (live.stop.signal.aborted || live.run.cancelledFor !== null)
        return await finishRun(live, { status: 'cancelled' })
      const error = runErrorOf(reason)
      if (error.kind === 'internal') log.error({ err: reason, run: live.run.id }, 'a run failed')
      // Never the error itself: what providers throw holds the prompt.
      else log.warn({ run: live.run.id, code: error.code, reason: error.message }, 'a run failed')
      return await finishRun(live, { status: 'failed', error })
    } catch (error) {
      if (isDatabaseAway(error))
        log.warn({ run: live.run.id }, 'a run stays where it is until the database answers')
      else if (!isStreamLost(error)) log.error({ err: error, run: live.run.id }, 'a run could not be ended')
      return 'left'
    }
  }

  return runStep
}

/** Why there is no answer, where the model or its provider left it out. */
const emptiness: Partial<Record<FinishReason, RunFailure>> = {
  length: new RunFailure(
    'invalid',
    'max_tokens_reached',
    'The model reached its limit of output tokens before it wrote an answer. Increase maxTokens of the agent.'
  ),
  content_filter: new RunFailure(
    'invalid',
    'content_filter',
    'The content filter of the provider withheld the answer.'
  )
}

const expired = new RunFailure(
  'forbidden',
  'token_expired',
  'The token by which the run was started has expired'
)
const tooLong = (seconds: number) =>
  new RunFailure('upstreamTimeout', 'run_timeout', `The run took longer than ${seconds} s`)
