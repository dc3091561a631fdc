import type { Kernel, Principal, Recorded, Said, Writer } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Usage } from '../schemas/runs.ts'
import type { Ended, EndStore } from '../stores/ends.ts'
import type { RunError, StoredRun } from '../stores/row.ts'
import { cleanText } from './clean.ts'
import { persist } from './commits.ts'
import type { LiveRuns } from './live-runs.ts'
import type { Queue } from './queue.ts'
import { sumOf } from './usage.ts'

export type Endings = ReturnType<typeof createEndings>

/** How a run ends. */
export type Outcome =
  | { readonly status: 'completed' }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly error: RunError }

/** What is known of a run that ends, in memory or from the record. */
export interface Ending {
  readonly run: StoredRun
  readonly by: Principal
  readonly writer: Writer
  readonly content: string
  readonly usage: readonly Usage[]
  readonly model: { modelProvider: string; modelId: string } | undefined
  /** Where its session goes on, if that is known. */
  readonly next: number | undefined
}

interface Deps extends Pick<Kernel, 'transaction' | 'log'> {
  jobs: Jobs
  endStore: EndStore
  liveRuns: LiveRuns
  queue: Queue
}

/** Ends runs: with exactly one last event, and all that it makes true in the same statement. */
export function createEndings({ transaction, log, jobs, endStore, liveRuns, queue }: Deps) {
  /** Rejects with `stream_lost` when the run goes on elsewhere, and when the database stays away. */
  async function end(ending: Ending, outcome: Outcome): Promise<StoredRun> {
    const { run, writer } = ending
    const keeps = outcome.status !== 'failed' && ending.content !== ''
    const ended: StoredRun = {
      ...run,
      status: outcome.status,
      content: ending.content === '' && outcome.status !== 'completed' ? null : cleanText(ending.content),
      usage: sumOf(ending.usage),
      error: 'error' in outcome ? outcome.error : null,
      endedAt: new Date().toISOString()
    }
    const position = await settle(ending, ended, keeps)
    const live = liveRuns.find(run.id)
    if (live?.writer === writer) liveRuns.drop(live, ended)
    // Calls of its may wait for somebody.
    if (ending.usage.length > 0 && outcome.status !== 'completed')
      await transaction((trx) => jobs.waits.abandon(trx, run.project, run.id)).catch((error) =>
        log.warn({ err: error, run: run.id }, 'calls of a run that has ended stay open until their deadline')
      )
    // Somebody else took a place in the session meanwhile, so somebody may wait there.
    if (ending.next === undefined || position !== ending.next) void queue.next(run.project, run.sessionId)
    return ended
  }

  /** The place of the reply in the session, if it has one. */
  async function settle(ending: Ending, ended: StoredRun, keeps: boolean): Promise<number | undefined> {
    const { run, writer, model } = ending
    const { project, id, owner, sessionId } = run
    const message = newId('message')
    const reply = { project, owner, id: message, sessionId, runId: id, role: 'assistant', offset: 0 } as const
    let settled: Ended | undefined
    await persist(
      () => writer.chunk({ ended: true, events: [lastEvent(ended)] }),
      async (chunk) => {
        settled = await endStore.settle({
          project,
          id,
          status: ended.status,
          content: ended.content,
          usage: ended.usage as Usage,
          error: ended.error,
          modelProvider: model?.modelProvider ?? null,
          modelId: model?.modelId ?? null,
          endedAt: ended.endedAt as string,
          extends: keeps ? { project, id: sessionId, count: 1 } : undefined,
          appended: keeps ? { ...reply, content: ended.content ?? '' } : undefined,
          chunk,
          fact: factOf(ending, ended)
        })
        return settled !== undefined
      }
    )
    return settled?.position ?? undefined
  }

  return { end }
}

function lastEvent({ sessionId, status, content, usage, error }: StoredRun): Said {
  if (status === 'completed') return { type: 'final', fields: { sessionId, content: content ?? '', usage } }
  if (status === 'cancelled') return { type: 'cancelled', fields: {} }
  return { type: 'error', fields: { message: error?.message, code: error?.code } }
}

function factOf({ run, by, usage, model }: Ending, ended: StoredRun): Recorded {
  const { id: runId, sessionId, agentId, owner, request } = run
  const total = ended.usage as Usage
  const data = {
    runId,
    sessionId,
    agentId,
    modelProvider: model?.modelProvider ?? null,
    modelId: model?.modelId ?? null,
    usage: total,
    steps: usage,
    provenance: request.provenance?.mode ?? ('metadata' as const)
  }
  const details = {
    by,
    subject: runId,
    owner,
    usage: [
      { meter: 'tokens.input', quantity: String(total.inputTokens) },
      { meter: 'tokens.cached', quantity: String(total.cachedTokens) },
      { meter: 'tokens.output', quantity: String(total.outputTokens) }
    ]
  }
  if (ended.status === 'failed')
    return { ...details, name: 'runs.failed', data: { ...data, code: ended.error?.code ?? 'internal' } }
  return { ...details, name: ended.status === 'completed' ? 'runs.completed' : 'runs.cancelled', data }
}
