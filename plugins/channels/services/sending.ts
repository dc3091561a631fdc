import type { Kernel } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import { Rejected } from '../kinds/requests.ts'
import type { ChannelStore, MessageRow } from '../store.ts'
import type { Kinds } from './kinds.ts'

export type Sending = ReturnType<typeof createSending>

const MOST_TRIES = 8
/** What stands for an answer that there is none of; why is for the owner to see. */
export const FAILED = 'Sorry, this could not be answered.'

interface Deps extends Pick<Kernel, 'transaction' | 'principals' | 'facts'> {
  jobs: Jobs
  runs: Runs
  kinds: Kinds
  channelStore: ChannelStore
}

/** What goes out by channels, until the service has taken it. */
export function createSending({ transaction, principals, facts, jobs, runs, kinds, channelStore }: Deps) {
  /** It is over, and the next one of its conversation is answered. */
  const end = (message: MessageRow, status: 'done' | 'failed', reason?: string): Promise<void> =>
    transaction(async (trx) => {
      const { project, conversationId, channelId, agentId, owner } = message
      const endedAt = new Date().toISOString()
      await channelStore.updateMessage(trx, message, {
        status,
        endedAt,
        ...(reason !== undefined && { reason })
      })
      await channelStore.update(trx, { project, id: channelId }, { reason: reason ?? null })
      await jobs.send('channels.answer', { project, conversationId }, { trx })
      const [by, channel] = [await principals.of(project, owner), await channelStore.find(channelId)]
      if (!by || !channel) return
      const data = { id: channelId, agentId, kind: channel.kind, conversationId }
      const about = { subject: agentId, owner }
      if (status === 'done') await facts.record(trx, 'channels.message_sent', by, { ...about, data })
      else
        await facts.record(trx, 'channels.message_failed', by, {
          ...about,
          data: { ...data, reason: reason ?? '' }
        })
    })

  async function send({ id }: { id: string }, signal: AbortSignal): Promise<void> {
    const message = await channelStore.findMessage(id)
    if (message?.status !== 'sending') return
    const [channel, place] = [
      await channelStore.find(message.channelId),
      await channelStore.findConversation(message.conversationId)
    ]
    if (!channel || !place) return
    if (channel.state !== 'connected') return end(message, 'failed', 'not_connected')
    const text = message.runId === null ? message.text : await answerOf(message)
    try {
      const setup = await kinds.open(channel)
      if (text.trim() !== '')
        await kinds
          .find(channel.kind)
          .send({ ...setup, conversation: place.external, text, key: message.id, signal })
    } catch (error) {
      return again(message, error as Error)
    }
    await end(message, message.reason === null ? 'done' : 'failed', message.reason ?? undefined)
  }

  async function answerOf({ project, runId }: MessageRow): Promise<string> {
    const id = runId ?? ''
    const outcome = (await transaction((trx) => runs.outcomes(trx, project, [id]))).get(id)
    return outcome?.content ?? (outcome?.error ? FAILED : '')
  }

  /** When the service says, else with pauses that grow; what it refused for good is not tried again. */
  async function again(message: MessageRow, error: Error): Promise<void> {
    const isFinal = error instanceof Rejected && error.retryAfter === undefined
    const tries = message.tries + 1
    const reason = error instanceof Rejected ? error.message : 'The service could not be reached'
    if (isFinal || tries >= MOST_TRIES) return end(message, 'failed', reason)
    const seconds = (error instanceof Rejected && error.retryAfter) || 2 ** tries
    await transaction(async (trx) => {
      await channelStore.updateMessage(trx, message, { tries })
      await channelStore.update(trx, { project: message.project, id: message.channelId }, { reason })
      await jobs.send('channels.send', { id: message.id }, { trx, inSeconds: seconds })
    })
  }

  return {
    end,
    worker: {
      work: (data: object, signal: AbortSignal) => send(data as { id: string }, signal),
      concurrency: 8,
      retries: 20
    }
  }
}
