import type { Kernel } from 'agent-platform'
import { isDatabaseAway } from 'agent-platform'
import type { RunSettings } from '../settings.ts'
import type { Custody } from './custody.ts'
import type { Driver } from './driver.ts'
import type { Endings } from './endings.ts'
import { HAND_OVER, isLost, RunFailure, runErrorOf } from './failures.ts'
import type { Live, LiveRuns } from './live-runs.ts'
import type { Offers } from './offers.ts'
import type { Replies } from './replies.ts'
import type { ToolCalls } from './tool-calls.ts'

interface Deps extends Pick<Kernel, 'log'> {
  settings: RunSettings
  liveRuns: LiveRuns
  custody: Custody
  driver: Driver
  endings: Endings
  replies: Replies
  toolCalls: ToolCalls
  offers: Offers
}

/** How long calls of tools may go on when their process or generation is to be left. */
const CALLS_MS = 10_000

/** The run loop: a reply of the model, what it asks for, and again, until a reply asks for nothing. */
export function createLoop({
  log,
  settings,
  liveRuns,
  custody,
  driver,
  endings,
  replies,
  toolCalls,
  offers
}: Deps) {
  /** One step of a run, as `advance` takes it. */
  async function goOn(id: string, handOver: AbortSignal): Promise<'again' | 'done'> {
    const live = liveRuns.find(id) ?? (await custody.claim(id))
    // Before that it would answer without its own messages; who accepts it sees to it.
    if (!live?.started) return 'done'
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
    const left = live.begun + settings.runSeconds * 1_000 - performance.now()
    const limit = setTimeout(() => end(tooLong(settings.runSeconds)), Math.max(left, 0))
    try {
      if (live.run.cancelledFor !== null) stop()
      if (handOver.aborted) leave()
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

  async function step(live: Live, cut: AbortController, late: AbortSignal): Promise<'again' | 'done'> {
    const last = live.steps.at(-1)
    if (last?.calls.some(({ told }) => !told))
      return (await toolCalls.finish(live, last, late)) === 'done' ? 'again' : 'done'
    if (live.steps.length >= settings.maxSteps)
      throw new RunFailure('upstream', 'step_limit', `The run took more than ${settings.maxSteps} steps`)
    const tools = await offers.ask(live)
    const reply = await replies.ask(live, tools, cut)
    if (reply.calls.length > 0) {
      await toolCalls.note(live, reply, tools)
      return 'again'
    }
    live.usage.push(reply.usage)
    await endings.end(live, { status: 'completed' })
    return 'done'
  }

  async function ended(live: Live, reason: unknown): Promise<'again' | 'done'> {
    if (isLost(reason)) {
      liveRuns.drop(live)
      return 'done'
    }
    try {
      // Nothing is wrong with the run: whoever reaches the database again goes on with it.
      if (reason === HAND_OVER || isDatabaseAway(reason)) {
        await driver.letGo(live)
        return 'again'
      }
      if (live.stop.signal.aborted || live.run.cancelledFor !== null)
        await endings.end(live, { status: 'cancelled' })
      else {
        const error = runErrorOf(reason)
        if (error.kind === 'internal') log.error({ err: reason, run: live.run.id }, 'a run failed')
        // Never the error itself: what providers throw holds the prompt.
        else log.warn({ run: live.run.id, code: error.code, reason: error.message }, 'a run failed')
        await endings.end(live, { status: 'failed', error })
      }
    } catch (error) {
      if (isDatabaseAway(error))
        log.warn({ run: live.run.id }, 'a run stays where it is until the database answers')
      else if (!isLost(error)) log.error({ err: error, run: live.run.id }, 'a run could not be ended')
      liveRuns.drop(live)
    }
    return 'done'
  }

  return { goOn }
}

const tooLong = (seconds: number) =>
  new RunFailure('upstreamTimeout', 'run_timeout', `The run took longer than ${seconds} s`)
