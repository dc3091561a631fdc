import type { Kernel } from 'agent-platform'
import { isStreamLost } from 'agent-platform'
import type { Claims } from '../recover/claim.ts'
import type { RunStore } from '../stores/runs.ts'
import type { Finished } from './finish-run.ts'
import type { Live, LiveRuns } from './live-runs.ts'
import type { RunStep } from './run-step.ts'

export type Executor = ReturnType<typeof createExecutor>

/** Signal: an instance released a run. */
export const released = 'runs.released'

interface Deps extends Pick<Kernel, 'advance' | 'instances' | 'signals' | 'log'> {
  runStore: RunStore
  liveRuns: LiveRuns
  claims: Claims
  runStep: RunStep
}

/** Executes runs: claims them, takes them forward a step at a time, and releases them. */
export function createExecutor(deps: Deps) {
  const { advance, instances, signals, log, runStore, liveRuns, claims, runStep } = deps

  /** Until the run has ended, waits, or goes on elsewhere; each step in the generation then current. Never rejects. */
  function execute(id: string): Promise<void> {
    return liveRuns.once(id, async () => {
      try {
        await advance('step', id)
      } catch (error) {
        // The pack is off, say: the orphan scan finds what the record holds when it is on again.
        log.warn({ err: error, run: id }, 'a run stays where it is')
      }
      const live = liveRuns.find(id)
      if (live) await release(live)
    })
  }

  /** One step of a run, as `advance` takes it. */
  async function step(id: string, handOver: AbortSignal): Promise<'again' | 'done'> {
    const claimed = liveRuns.find(id) ?? (await claims.claim(id))
    if (!claimed) return 'done'
    if (!('writer' in claimed)) return finished(claimed)
    // Before that it would answer without its own messages; its start executes it then.
    if (!claimed.started) return 'done'
    const outcome = await runStep(claimed, handOver)
    if (outcome === 'again') return 'again'
    if (outcome === 'handed over') {
      await release(claimed)
      return 'again'
    }
    if (outcome === 'waits') await claimed.writer.release().catch(() => undefined)
    if (typeof outcome === 'string') liveRuns.drop(claimed)
    else {
      liveRuns.drop(claimed, outcome.run)
      finished(outcome)
    }
    return 'done'
  }

  function finished({ run, mayBeginNext }: Finished): 'done' {
    if (mayBeginNext) void beginNext(run.project, run.sessionId)
    return 'done'
  }

  /** Leaves the run to the next instance that claims it: what was published is durable then. Never rejects. */
  async function release(live: Live): Promise<void> {
    try {
      await live.writer.release()
      const instance = instances.id()
      if (instance !== undefined) await runStore.settleRelease(live.run, instance)
      signals.send(released)
    } catch (error) {
      if (!isStreamLost(error)) log.warn({ err: error, run: live.run.id }, 'a run was not released')
    } finally {
      liveRuns.drop(live)
    }
  }

  /** Begins the queued run that is next in that session, or in each one, where no run is active. Never rejects. */
  async function beginNext(project?: string, sessionId?: string): Promise<void> {
    try {
      for (const id of await runStore.listNext(project, sessionId)) void execute(id)
    } catch (error) {
      log.warn({ err: error }, 'the queue of a session is looked at again later')
    }
  }

  return { execute, step, beginNext }
}
