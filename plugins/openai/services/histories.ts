import type { Kernel, Principal } from 'agent-platform'
import { conflict, notFound } from 'agent-platform'
import type { OrderedMessage, Runs } from '../../runs/contract.ts'
import type { Sessions } from '../../sessions/contract.ts'
import type { Heard } from '../protocol/heard.ts'
import { outputsAhead } from '../protocol/response-input.ts'
import type { Exchange, ExchangeStore } from '../stores/exchanges.ts'
import { NOW, unlessGone } from './acting.ts'

export type Histories = ReturnType<typeof createHistories>

interface Deps extends Pick<Kernel, 'transaction'> {
  runs: Runs
  sessions: Sessions
  exchangeStore: ExchangeStore
}

/** What a response goes on from. */
export interface History {
  /** The session to go on in; undefined: a new one, which begins with the words. */
  readonly sessionId: string | undefined
  readonly words: readonly OrderedMessage[]
  readonly fileIds: readonly string[]
}

/** What had been said before a response. */
export function createHistories({ transaction, runs, sessions, exchangeStore }: Deps) {
  /** Where a response goes on from: its session while that has gone no further, else what had been said in it by then. */
  async function before(by: Principal, previous: Exchange, { messages }: Heard): Promise<History> {
    const { project, sessionId, runId } = previous
    const run = await runs.settled(by, runId, NOW).catch(unlessGone)
    if (!run || sessionId === null) throw notFound('Previous response', { param: '/previous_response_id' })
    const open = run.pending.filter((it) => it.for === 'result')
    if (run.endedAt === null && open.length === 0)
      throw conflict('The previous response is under way', {
        code: 'previous_response_in_progress',
        param: '/previous_response_id'
      })
    const newest = await exchangeStore.findNewest(project, sessionId)
    const { data } = await runs.list(by, { sessionId, limit: 1 })
    const isHead = newest?.id === previous.id && data[0]?.id === runId
    const behind = outputsAhead(messages)
    if (isHead && run.endedAt !== null && behind === 0) return { sessionId, words: [], fileIds: [] }
    const runIds = await exchangeStore.listRuns(project, sessionId, previous.id)
    const kept = await transaction((trx) =>
      sessions.ofRuns(
        trx,
        project,
        runIds.map((id) => ({ id, sessionId, position: 0 }))
      )
    )
    const words = kept.map(wordsOf)
    if (open.length > 0) {
      const toolCalls = open.map(({ callId, toolName, args }) => ({ callId, toolName, args }))
      words.push({ role: 'assistant', content: '', toolCalls })
      await runs.cancel(by, runId).catch(unlessGone)
    }
    const fileIds = kept.flatMap((it) =>
      'attachments' in it ? ((it.attachments ?? []) as { fileId: string }[]).map(({ fileId }) => fileId) : []
    )
    return { sessionId: undefined, words, fileIds }
  }

  return { before }
}

type Kept = Awaited<ReturnType<Sessions['ofRuns']>>[number]

function wordsOf(message: Kept): OrderedMessage {
  const { role, content } = message
  if (role === 'tool') {
    const { callId, toolName, isError } = message
    return { role, content, callId, toolName, isError }
  }
  if (role === 'assistant') {
    const { toolCalls } = message
    return { role, content, ...(toolCalls?.length && { toolCalls }) }
  }
  return { role, content, ...('untrusted' in message && message.untrusted && { untrusted: true }) }
}
