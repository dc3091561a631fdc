import type { Execution, Kernel } from 'agent-platform'
import { isStreamLost } from 'agent-platform'
import type { RunStore } from '../stores/runs.ts'
import type { Claims } from './claim.ts'
import type { Finished } from './finish-run.ts'
import type { LiveRuns } from './live-runs.ts'
import type { Queues } from './queues.ts'
import type { RunStep } from './run-step.ts'

interface Deps extends Pick<Kernel, 'executions' | 'instances' | 'log'> {
  runStore: RunStore
  liveRuns: LiveRuns
  claims: Claims
  queues: Queues
  runStep: RunStep
}

/** Runs as the kernel executes them: claimed, taken forward a step at a time, and released. */
export function createExecution(deps: Deps): Execution {
  const { executions, instances, log, runStore, liveRuns, claims, queues, runStep } = deps

  async function step(id: string, handOver: AbortSignal): Promise<'again' | 'done'> {
    const claimed = liveRuns.find(id) ?? (await claims.claim(id))
    if (!claimed) return 'done'
    if (!('writer' in claimed)) return finished(claimed)
    // Before that it would answer without its own messages; its start executes it then.
    if (!claimed.started) return 'done'
    const outcome = await runStep(claimed, handOver)
    if (outcome === 'again') return 'again'
    if (outcome === 'handed over') {
      await release(id)
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
    if (mayBeginNext) void queues.beginNext(run.project, run.sessionId)
    return 'done'
  }

  /** What was published is durable then. */
  async function release(id: string): Promise<void> {
    const live = liveRuns.find(id)
    if (!live) return
    try {
      await live.writer.release()
      const instance = instances.id()
      if (instance !== undefined) await runStore.settleRelease(live.run, instance)
      executions.released('run')
    } catch (error) {
      if (!isStreamLost(error)) log.warn({ err: error, run: id }, 'a run was not released')
    } finally {
      liveRuns.drop(live)
    }
  }

  const { listOrphaned, listCancelled } = runStore
  const { held, stop } = liveRuns
  return { step, release, stop, held, listOrphaned, listCancelled, beginNext: () => queues.beginNext() }
}
