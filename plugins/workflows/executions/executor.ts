import type { Claimed, Execution, ExecutionTable, Kernel } from 'agent-platform'
import { isDatabaseAway, isStreamLost } from 'agent-platform'
import type { WorkflowSettings } from '../settings.ts'
import type { End } from '../stores/ends.ts'
import type { StepStore } from '../stores/steps.ts'
import type { VersionStore } from '../stores/versions.ts'
import { actingOf } from './acting.ts'
import { EXECUTION } from './cancellations.ts'
import type { Driver } from './driver.ts'
import type { Endings } from './endings.ts'
import type { ExecutionRecord } from './journal.ts'
import { isOpen, sizeOf } from './journal.ts'
import type { JournalWriter } from './journal-writer.ts'
import type { Live, LiveExecutions } from './live.ts'
import { newLive, nudge } from './live.ts'

interface Deps extends Pick<Kernel, 'executions' | 'principals' | 'log'> {
  settings: WorkflowSettings
  executionTable: ExecutionTable<ExecutionRecord>
  stepStore: StepStore
  versionStore: VersionStore
  liveExecutions: LiveExecutions
  driver: Driver
  endings: Endings
  journalWriter: JournalWriter
}

/** Executions as the kernel takes them forward. */
export function createExecutor(deps: Deps): Execution {
  const {
    executions,
    principals,
    log,
    settings,
    executionTable,
    stepStore,
    versionStore,
    liveExecutions,
    driver,
    endings,
    journalWriter
  } = deps
  async function step(id: string, handOver: AbortSignal): Promise<'again' | 'done'> {
    const live = liveExecutions.find(id) ?? (await claim(id))
    if (!live) return 'done'
    try {
      if ((await driver(live, handOver)) === 'again') {
        // Something was finished: what its processes died of before is forgiven.
        await executionTable.settle(live.row)
        Object.assign(live.row, { crashes: 0 })
        return 'again'
      }
    } catch (error) {
      // Nothing is wrong with it: the first instance that reaches the database again claims it.
      if (!isStreamLost(error) && !isDatabaseAway(error)) await fail(live, error)
    }
    await live.writer.release().catch(() => undefined)
    liveExecutions.drop(live)
    return 'done'
  }

  async function claim(id: string): Promise<Live | undefined> {
    const claimed = await executionTable.claim(id)
    if (!claimed) return undefined
    const live = await load(claimed)
    if (!('status' in live)) {
      liveExecutions.add(live)
      return live
    }
    await endings.refuse(claimed, live)
    return undefined
  }

  /** What it takes to go on with it; else how it ends. */
  async function load({ row, writer, resumed, exhausted }: Claimed<ExecutionRecord>): Promise<Live | End> {
    const { project, workflowId, workflowVersion, id } = row
    const definition = await versionStore.find(project, workflowId, workflowVersion)
    if (!definition) return { status: 'cancelled', output: undefined, error: null }
    const { by, refusal } = await actingOf(principals, row)
    if (refusal) return failed(refusal.code, refusal.message)
    if (exhausted) return failed('too_many_attempts', 'It was interrupted too often')
    const rows = await stepStore.list(project, id)
    const waiting = rows.filter((it) => isOpen(it) && it.ref !== null && it.arrival === null)
    return {
      ...newLive(row, by, writer, definition),
      rows: new Map(rows.map((it) => [it.path, it])),
      unchecked: new Set(resumed ? waiting.map(({ path }) => path) : []),
      size: rows.reduce((size, row) => size + sizeOf(row), 0)
    }
  }

  /** It would fail in the same way wherever it went on. */
  async function fail(live: Live, error: unknown): Promise<void> {
    log.error({ err: error, execution: live.row.id }, 'an execution failed')
    try {
      await endings.end(live, failed('internal', 'The execution failed'))
    } catch (error) {
      log.warn({ err: error, execution: live.row.id }, 'an execution could not be ended')
    }
  }

  return {
    step,
    concurrency: settings.executions,
    held: liveExecutions.held,
    async release(id) {
      const live = liveExecutions.find(id)
      if (!live) return
      try {
        await journalWriter.flush(live)
        await live.writer.release()
        await executionTable.release(live.row, 'queued')
        executions.released(EXECUTION)
      } catch (error) {
        if (!isStreamLost(error)) log.warn({ err: error, execution: id }, 'an execution was not released')
      } finally {
        liveExecutions.drop(live)
      }
    },
    stop(id, reason) {
      const live = liveExecutions.find(id)
      if (!live) return false
      if (live.row.ending === null) Object.assign(live.row, { cancelledFor: reason })
      nudge(live)
      return true
    },
    woken(id) {
      const live = liveExecutions.find(id)
      if (!live) return
      live.woken = true
      nudge(live)
    },
    listOrphaned: executionTable.listOrphaned,
    listCancelled: executionTable.listCancelled
  }
}

const failed = (code: string, message: string): End => ({
  status: 'failed',
  output: undefined,
  error: { code, message }
})
