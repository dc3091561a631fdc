import type { Kernel } from 'agent-platform'
import type { Model } from '../../models/contract.ts'
import type { Sessions, Words } from '../../sessions/contract.ts'
import type { RunSettings } from '../settings.ts'
import type { ContextStore } from '../stores/contexts.ts'
import type { StepRow } from '../stores/steps.ts'
import type { Budget } from './context-budget.ts'
import { charactersIn, newestOf, tokensOf } from './context-budget.ts'
import { keptMessages } from './kept-messages.ts'
import type { Live } from './live-runs.ts'
import {
  asRead,
  newestResults,
  readStep,
  readSteps,
  resultsOf,
  saidIn,
  summarizedUntil,
  tokensOfStep
} from './prompt-contents.ts'
import { referenceTo } from './read-result.ts'
import type { Summarizer, Summarizing } from './summarizer.ts'
import { lineOf, SUMMARY_SHARE } from './summarizer.ts'
import { tokensIn } from './token-estimate.ts'

export type Compaction = ReturnType<typeof createCompaction>

/** To which share of the budget a prompt is shortened: the next steps have room before it is again. */
const TARGET = 0.5
/** Shares of the budget that the newest messages keep, and the newest steps of a run. */
const NEWEST = 0.2
const STEPS = 0.25
/** A summary of less than this share is not worth a call of the model. */
const LEAST_SUMMARIZED = 0.08
/** Shorter results gain nothing by a reference. */
const LEAST_RESULT = 400
/** Older messages are read in so many pages. */
const PAGES = 200

interface Deps extends Pick<Kernel, 'log'> {
  settings: RunSettings
  sessions: Sessions
  contextStore: ContextStore
  summarizer: Summarizer
}

interface Room {
  readonly budget: Budget
  /** Tokens of what is never shortened: instructions, goals, definitions of tools. */
  readonly fixed: number
  readonly signal: AbortSignal
  /** Messages were not read since there are too many. */
  readonly isCut: boolean
}

/** Makes room in the prompt of a run: references for old results first, then summaries. */
export function createCompaction({ settings, log, sessions, contextStore, summarizer }: Deps) {
  const sizeOf = (live: Live): number =>
    tokensIn(live.history?.summary?.content ?? '') +
    saidIn(live).reduce((sum, words) => sum + tokensOf(asRead(live, words)), 0) +
    tokensIn(live.steps[summarizedUntil(live)]?.summary ?? '') +
    readSteps(live).reduce((sum, step) => sum + tokensOfStep(step), 0)

  async function makeRoom(live: Live, model: Model, room: Room): Promise<void> {
    const { budget, fixed, isCut } = room
    const size = () => fixed + sizeOf(live)
    const before = size()
    const limit = budget.tokens * settings.compactAt
    if (settings.compactAt >= 1 || live.isUncompacted || (before <= limit && !isCut)) return
    // What executes an agent in place of a model keeps its own context.
    if (model.isExecutor) return
    const target = Math.max(budget.tokens * TARGET, fixed)
    const results = refer(live, size, target, budget)
    let messages = 0
    try {
      if (size() > limit || isCut) messages += await summarizeHistory(live, model, room)
      if (size() > limit) messages += await summarizeSteps(live, model, room)
    } catch (error) {
      room.signal.throwIfAborted()
      // The oldest messages are left out then, as the prompt says.
      live.isUncompacted = true
      const { code, message } = error as { code?: string; message?: string }
      log.warn({ run: live.run.id, code, reason: message }, 'the context of a run could not be summarized')
    }
    if (results + messages === 0) return
    const tokens = { tokensBefore: Math.ceil(before), tokensAfter: Math.ceil(size()) }
    live.writer.append('context_compacted', { step: live.steps.length + 1, results, messages, ...tokens })
  }

  /** References for the oldest results, until the prompt is small enough; the newest ones stay. */
  function refer(live: Live, size: () => number, target: number, budget: Budget): number {
    let excess = size() - target
    let count = 0
    const results = resultsOf(live)
    const newest = newestResults(results, budget.tokens * NEWEST)
    for (const { callId, text } of results.slice(0, newest)) {
      if (excess <= 0) break
      if (text.length < LEAST_RESULT || live.referenced.has(callId)) continue
      const reference = referenceTo(callId, text.length)
      live.referenced.set(callId, reference)
      excess -= tokensIn(text) - tokensIn(reference)
      count++
    }
    return count
  }

  /** A durable message of the session stands for all but the newest messages from now on. */
  async function summarizeHistory(live: Live, model: Model, { budget, signal }: Room): Promise<number> {
    const { history, run } = live
    if (!history?.positions) return 0
    const kept = newestOf(saidIn(live), budget.tokens * NEWEST)
    const boundary = history.messages.indexOf(kept[0] as Words)
    const until = history.positions[boundary - 1]
    if (until === undefined) return 0
    const older = await olderThan(run, history.positions[0] as number, history.left, budget)
    const said = [...older, ...history.messages.slice(0, boundary)].filter(({ role }) => role !== 'system')
    if (said.length === 0 || tokensOfAll(said) < budget.tokens * LEAST_SUMMARIZED) return 0
    const about = aboutOf(live, signal)
    const most = budget.tokens * SUMMARY_SHARE
    const content = await summarizer.summarize(
      about,
      model,
      history.summary?.content ?? '',
      said.map(lineOf),
      most
    )
    const untrusted = history.summary?.untrusted === true || said.some(isForeign)
    const { project, owner, sessionId } = run
    await sessions.summarize({ project, owner, sessionId, content, untrusted, until })
    live.history = {
      messages: history.messages.filter((words, at) => at >= boundary || words.role === 'system'),
      positions: history.positions.filter(
        (_, at) => at >= boundary || history.messages[at]?.role === 'system'
      ),
      left: 0,
      summary: { content, untrusted }
    }
    return said.length
  }

  /** What was not read with the history, as far back as the latest summary. */
  async function olderThan(
    { project, sessionId }: Pick<Live['run'], 'project' | 'sessionId'>,
    before: number,
    left: number,
    budget: Budget
  ): Promise<Words[]> {
    const found: Words[] = []
    const limit = { characters: charactersIn(budget.tokens), messages: 1_000 }
    for (let page = 0, at = before; left > 0 && page < PAGES; page++) {
      const {
        messages,
        positions,
        left: more
      } = await sessions.recent(project, sessionId, { ...limit, before: at })
      const first = positions.find((position, index) => messages[index]?.role !== 'system' && position < at)
      if (first === undefined) break
      found.unshift(...messages)
      if (more === 0) break
      at = first
    }
    return found
  }

  /** The steps of the run but the newest: kept with the last of them, so that the run continues with it after a crash. */
  async function summarizeSteps(live: Live, model: Model, { budget, signal }: Room): Promise<number> {
    const from = summarizedUntil(live) + 1
    let room = budget.tokens * STEPS
    let boundary = live.steps.length - 1
    for (; boundary > from; boundary--) {
      room -= tokensOfStep(readStep(live, live.steps[boundary] as StepRow))
      if (room < 0) break
    }
    const steps = live.steps.slice(from, boundary)
    const last = steps.at(-1)
    const tokens = steps.reduce((sum, step) => sum + tokensOfStep(readStep(live, step)), 0)
    if (!last || tokens < budget.tokens * LEAST_SUMMARIZED) return 0
    const before = live.steps[from - 1]?.summary ?? ''
    const lines = keptMessages(steps, null).map(lineOf)
    const most = budget.tokens * SUMMARY_SHARE
    last.summary = await summarizer.summarize(aboutOf(live, signal), model, before, lines, most)
    await contextStore.updateSummary(live.run, last.step, last.summary)
    return lines.length
  }

  return { makeRoom, olderThan }
}

const tokensOfAll = (said: readonly Words[]): number => said.reduce((sum, words) => sum + tokensOf(words), 0)

const aboutOf = ({ run, by }: Live, signal: AbortSignal): Summarizing => ({
  by,
  agentId: run.agentId,
  sessionId: run.sessionId,
  runId: run.id,
  signal
})

/** Whether no instruction in it is to be followed. */
export const isForeign = (words: Words): boolean =>
  words.role === 'tool' ||
  (words.role === 'user' && (words.untrusted === true || (words.attachments?.length ?? 0) > 0))
