import type { Kernel, Principal } from 'agent-platform'
import { conflict } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Models } from '../../models/contract.ts'
import type { Sessions, Words } from '../../sessions/contract.ts'
import type { CompactedSession, CompactOrder } from '../schemas/compaction.ts'
import type { RunStore } from '../stores/runs.ts'
import type { Compaction } from './compaction.ts'
import { isForeign } from './compaction.ts'
import { charactersIn, fromUser, tokensOf } from './context-budget.ts'
import type { ContextLimits } from './context-limits.ts'
import type { Summarizer } from './summarizer.ts'
import { lineOf, SUMMARY_SHARE } from './summarizer.ts'
import { tokensIn } from './token-estimate.ts'

export type SessionCompaction = ReturnType<typeof createSessionCompaction>

const USUALLY_KEPT = 4
const MOST_MESSAGES = 2_000

interface Deps extends Pick<Kernel, 'transaction'> {
  agents: Agents
  models: Models
  sessions: Sessions
  runStore: RunStore
  contextLimits: ContextLimits
  compaction: Compaction
  summarizer: Summarizer
}

/** Summarizes a session because someone asks for it. */
export function createSessionCompaction(deps: Deps) {
  const { transaction, agents, models, sessions, runStore, contextLimits, compaction, summarizer } = deps

  return async function compact(
    by: Principal,
    sessionId: string,
    { keepMessages = USUALLY_KEPT, instructions }: CompactOrder,
    signal: AbortSignal
  ): Promise<CompactedSession> {
    const { project, owner, agentId } = await sessions.owned(by, sessionId, 'change')
    const { agent } = await agents.profile(by, agentId, 'run')
    const busy = await transaction((trx) => runStore.listUnfinished(trx, { project, sessionId }))
    if (busy.length > 0)
      throw conflict('A run of the session has not finished. Wait for it, or cancel it.', {
        code: 'session_busy'
      })
    const model = await models.resolve(project, agent)
    const budget = contextLimits.budget({ project, sessionId }, model, agent.maxTokens)
    const limit = { characters: charactersIn(budget.tokens), messages: MOST_MESSAGES }
    const history = await sessions.recent(project, sessionId, limit)
    const read = history.messages.flatMap((words, at) => (words.role === 'system' ? [] : { words, at }))
    const kept =
      keepMessages === 0
        ? []
        : fromUser(
            read.map(({ words }) => words),
            Math.max(read.length - keepMessages, 0)
          )
    const boundary = kept.length === 0 ? read.length : read.findIndex(({ words }) => words === kept[0])
    const until = history.positions[read[boundary - 1]?.at ?? -1]
    if (until === undefined)
      throw conflict(
        `Nothing to compact: the session has ${read.length} messages since its last summary, and ${keepMessages} are kept`,
        { code: 'nothing_to_compact' }
      )
    const first = history.positions[read[0]?.at ?? 0] as number
    const older = await compaction.olderThan({ project, sessionId }, first, history.left, budget)
    const said: readonly Words[] = [...older, ...read.slice(0, boundary).map(({ words }) => words)].filter(
      ({ role }) => role !== 'system'
    )
    const about = { by, agentId, sessionId, runId: null, instructions, signal }
    const before = history.summary?.content ?? ''
    const most = budget.tokens * SUMMARY_SHARE
    const content = await summarizer.summarize(about, model, before, said.map(lineOf), most)
    const untrusted = history.summary?.untrusted === true || said.some(isForeign)
    const made = await sessions.summarize({ project, owner, sessionId, content, untrusted, until })
    if (!made)
      throw conflict('The session has changed in the meantime. Try again.', { code: 'nothing_to_compact' })
    const keptTokens = kept.reduce((sum, words) => sum + tokensOf(words), 0)
    const saidTokens = said.reduce((sum, words) => sum + tokensOf(words), 0)
    return {
      id: made.id,
      sessionId,
      content,
      messages: said.length,
      tokensBefore: Math.ceil(tokensIn(before) + saidTokens + keptTokens),
      tokensAfter: Math.ceil(tokensIn(content) + keptTokens)
    }
  }
}
