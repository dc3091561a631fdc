import type { EventInput, Kernel, Principal, Recorded, Writer } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { ModelReply } from '../../sessions/contract.ts'
import type { Citation, ContextItem } from '../contract.ts'
import { infoOf } from '../run-info.ts'
import type { FinishReason, Usage } from '../schemas/runs.ts'
import type { EndStore } from '../stores/ends.ts'
import type { RunError, StoredRun } from '../stores/row.ts'
import type { StepRow } from '../stores/steps.ts'
import { clipped } from './clipped.ts'
import { keptMessages } from './kept-messages.ts'
import { cleanText } from './sanitize.ts'
import type { CallUsage } from './usage.ts'
import { sumOf } from './usage.ts'

/** Characters that a reply that broke off keeps in its session; the record of its run has all of them. */
const CUT_OFF = 40_000

export type FinishRun = ReturnType<typeof createFinishRun>

/** How a run ends. */
export type Outcome =
  | { readonly status: 'completed'; readonly reply: ModelReply; readonly finishReason: FinishReason }
  | { readonly status: 'cancelled' }
  | { readonly status: 'failed'; readonly error: RunError }

/** What is known of a run that ends, in memory or from the record. */
export interface Ending {
  readonly run: StoredRun
  readonly by: Principal
  readonly writer: Writer
  readonly content: string
  /** Finished or not: later runs know what they did. */
  readonly steps: readonly StepRow[]
  readonly usage: readonly CallUsage[]
  /** What packs put into its prompts, as far as this process knows. */
  readonly sources?: ReadonlyMap<string, ContextItem>
  readonly model: { modelProvider: string; modelId: string } | undefined
  /** Where its session goes on, if that is known. */
  readonly next: number | undefined
}

interface Deps extends Pick<Kernel, 'transaction' | 'log' | 'points'> {
  jobs: Jobs
  endStore: EndStore
}

/** A run that has ended. */
export interface Finished {
  readonly run: StoredRun
  /** Another one may wait in its session. */
  readonly mayBeginNext: boolean
}

/** Ends runs: with exactly one last event, and all that it makes true in the same statement. */
export function createFinishRun({ transaction, log, points, jobs, endStore }: Deps) {
  /** Rejects with `stream_lost` when the run goes on elsewhere, and when the database stays away. */
  async function finishRun(ending: Ending, outcome: Outcome): Promise<Finished> {
    const { run } = ending
    const content = ending.content === '' && outcome.status !== 'completed' ? null : cleanText(ending.content)
    const ended: StoredRun = {
      ...run,
      status: outcome.status,
      content,
      finishReason: outcome.status === 'completed' ? outcome.finishReason : null,
      citations: outcome.status === 'completed' ? await citationsOf(ending, content ?? '') : null,
      usage: sumOf(ending.usage),
      error: 'error' in outcome ? outcome.error : null,
      endedAt: new Date().toISOString()
    }
    const position = await settle(ending, ended, 'reply' in outcome ? outcome.reply : undefined)
    // Calls of its may be open.
    if (ending.usage.length > 0 && outcome.status !== 'completed')
      await transaction((trx) => jobs.waits.abandon(trx, run.project, run.id)).catch((error) =>
        log.warn({ err: error, run: run.id }, 'calls of a run that has ended stay open until their deadline')
      )
    // Where another message came in between, another run may wait.
    return { run: ended, mayBeginNext: ending.next === undefined || position !== ending.next }
  }

  /** The place in the session of what it leaves there, if that is anything. */
  async function settle(
    ending: Ending,
    ended: StoredRun,
    reply: ModelReply | undefined
  ): Promise<number | undefined> {
    const { run, writer, model } = ending
    const { project, id, owner, sessionId } = run
    const isSilent =
      ended.status === 'completed' && ended.content?.trim() === run.request.silentAnswer?.trim()
    const kept = isSilent ? [] : keptMessages(ending.steps, lastWords(ended), reply)
    const appended = kept.map((words, offset) => ({
      ...words,
      id: newId('message'),
      project,
      owner,
      sessionId,
      runId: id,
      offset
    }))
    const end = {
      project,
      id,
      status: ended.status,
      content: ended.content,
      finishReason: ended.finishReason,
      citations: ended.citations,
      sources: ending.sources?.size ? [...ending.sources.values()] : null,
      usage: ended.usage as Usage,
      error: ended.error,
      modelProvider: model?.modelProvider ?? null,
      modelId: model?.modelId ?? null,
      endedAt: ended.endedAt as string,
      extends: appended.length > 0 ? { project, id: sessionId, count: appended.length } : undefined,
      appended,
      isSilent,
      fact: factOf(ending, ended)
    }
    const settled = await writer.commit([lastEvent(ended)], (chunk) => endStore.settle({ ...end, chunk }), {
      ended: true
    })
    return settled?.position ?? undefined
  }

  /** What the answer of a run that looked things up stands on; null for nothing. */
  async function citationsOf({ run, by, steps }: Ending, content: string): Promise<Citation[] | null> {
    if (steps.length === 0) return null
    const info = infoOf(run, by)
    const asked = points
      .all('runs.citations')
      .map(({ value }) => Promise.try(() => value.cite(info, content)))
    const citations = (await Promise.allSettled(asked)).flatMap((it) => {
      if (it.status === 'fulfilled') return it.value
      // The answer counts without.
      log.warn({ err: it.reason, run: run.id }, 'citations could not be added')
      return []
    })
    return citations.length > 0 ? citations : null
  }

  return finishRun
}

/** Of a reply that broke off its beginning and its end are enough: it may have been cut because it was too long. */
function lastWords({ status, content }: StoredRun): string | null {
  if (!content) return null
  return status === 'completed'
    ? content
    : clipped(content, CUT_OFF, (left) => `${left} of ${content.length} characters were not kept`)
}

function lastEvent({
  sessionId,
  status,
  content,
  finishReason,
  citations,
  usage,
  error
}: StoredRun): EventInput {
  const cited = citations !== null && { citations }
  if (status === 'completed')
    return { type: 'final', fields: { sessionId, content: content ?? '', finishReason, usage, ...cited } }
  if (status === 'cancelled') return { type: 'cancelled', fields: {} }
  return {
    type: 'error',
    fields: { message: error?.message, code: error?.code, ...(error?.retryAt && { retryAt: error.retryAt }) }
  }
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
    provenance: request.provenance?.mode ?? ('metadata' as const),
    ...(request.provenance?.onchain && { onchain: true as const }),
    ...(ended.finishReason !== null && { finishReason: ended.finishReason }),
    ...(request.attachments?.length && { attachments: request.attachments.length })
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
