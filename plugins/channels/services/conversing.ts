import type { IncomingHttpHeaders } from 'node:http'
import type { Fact, Kernel, Principal, Trx } from 'agent-platform'
import { newId, notFound } from 'agent-platform'
import type { Jobs } from '../../jobs/contract.ts'
import type { Runs } from '../../runs/contract.ts'
import type { Incoming } from '../kinds/kind.ts'
import type { ChannelSettings } from '../settings.ts'
import type { ChannelRow, ChannelStore } from '../store.ts'
import { hashOf } from './channels.ts'
import type { Kinds } from './kinds.ts'
import type { Sending } from './sending.ts'
import { FAILED } from './sending.ts'

export type Conversing = ReturnType<typeof createConversing>

/** Of a conversation, that wait for their answer: what is more is dropped, as a flood is. */
const MOST_WAITING = 100
const MOST_TEXT = 100_000
const BATCH = 1_000

interface Deps extends Pick<Kernel, 'transaction' | 'principals' | 'facts' | 'log'> {
  settings: ChannelSettings
  jobs: Jobs
  runs: Runs
  kinds: Kinds
  channelStore: ChannelStore
  sending: Sending
}

/** What comes to channels, durable before it is acknowledged, and answered in order, a conversation each. */
export function createConversing(deps: Deps) {
  const { transaction, principals, facts, log, settings, jobs, runs, kinds, channelStore, sending } = deps

  /** The channel, and its owner; the same 404 for all that cannot be delivered to. */
  async function admit(channelId: string): Promise<{ channel: ChannelRow; owner: Principal }> {
    const channel = await channelStore.find(channelId)
    const owner =
      channel?.state === 'connected' ? await principals.of(channel.project, channel.owner) : undefined
    if (!channel || !owner) throw notFound('Channel')
    return { channel, owner }
  }

  async function deliver(channel: ChannelRow, owner: Principal, headers: IncomingHttpHeaders, bytes: Buffer) {
    const { messages, reply } = kinds
      .find(channel.kind)
      .receive({ ...(await kinds.open(channel)), headers, bytes })
    let received = 0
    for (const message of messages)
      if (await transaction((trx) => keep(trx, channel, owner, message))) received++
    return reply ?? { data: { received } }
  }

  /** False for one that came before, or that nobody is to answer. */
  async function keep(trx: Trx, channel: ChannelRow, owner: Principal, message: Incoming): Promise<boolean> {
    const { project, id: channelId, agentId, kind } = channel
    const about = { project, owner: channel.owner, agentId, channelId }
    const take = (external: string) =>
      channelStore.takeConversation(trx, {
        ...{ ...about, id: newId('conversation'), external: external.slice(0, 200) },
        ...{ paired: false, sessionId: null }
      })
    const text = message.text.slice(0, MOST_TEXT).replaceAll('\0', '').toWellFormed()
    const isCode = text.trim().length <= 20 && (await channelStore.takePair(trx, channel, hashOf(text))) > 0
    const { conversation, within = conversation } = message
    const around = await take(within)
    const place = conversation === within ? around : await take(conversation)
    const isPaired = place.paired || around.paired
    const mayTalk = isPaired || channel.access === 'open'
    if (!isCode && !mayTalk) return false
    if ((await channelStore.countOpen(trx, project, place.id)) >= MOST_WAITING) return false
    const said = {
      ...{ ...about, id: newId('message'), conversationId: place.id, external: message.id.slice(0, 500) },
      sender: message.from.slice(0, 200)
    }
    if (isCode) {
      await channelStore.updateConversation(trx, around, { paired: true })
      if (
        !(await channelStore.insertMessage(trx, {
          ...said,
          text: 'This conversation is paired.',
          status: 'sending'
        }))
      )
        return false
      await jobs.send('channels.send', { id: said.id }, { trx })
      return true
    }
    if (!(await channelStore.insertMessage(trx, { ...said, text, status: 'received' }))) return false
    if (isPaired && !place.paired) await channelStore.updateConversation(trx, place, { paired: true })
    await jobs.send('channels.answer', { project, conversationId: place.id }, { trx })
    const data = { id: channelId, agentId, kind, conversationId: place.id }
    await facts.record(trx, 'channels.message_received', owner, {
      subject: agentId,
      owner: channel.owner,
      data
    })
    return true
  }

  /** Has the first message that waits in a conversation answered, unless one before it still is. */
  async function answer({
    project,
    conversationId
  }: {
    project: string
    conversationId: string
  }): Promise<void> {
    const first = await transaction(async (trx) => {
      const message = await channelStore.lockFirst(trx, project, conversationId)
      if (!message || message.status === 'sending') return undefined
      const runId = message.runId ?? newId('run')
      if (message.status === 'received')
        await channelStore.updateMessage(trx, message, { status: 'running', runId })
      return { ...message, runId }
    })
    if (!first) return
    const { channelId, agentId, runId: id, text } = first
    const [channel, place] = [
      await channelStore.find(channelId),
      await channelStore.findConversation(conversationId)
    ]
    const owner = channel && (await principals.of(project, channel.owner))
    if (!channel || !place) return
    if (channel.state !== 'connected' || !owner) return sending.end(first, 'failed', 'not_connected')
    try {
      const { sessionId } = place
      // Who was paired is served; of anybody else it is data.
      const messages = [{ role: 'user' as const, content: text, ...(!place.paired && { untrusted: true }) }]
      const begun = await runs.start(owner, {
        id,
        agentId,
        messages,
        ...(sessionId !== null && { sessionId })
      })
      if (sessionId !== begun.sessionId)
        await transaction((trx) =>
          channelStore.updateConversation(trx, place, { sessionId: begun.sessionId })
        )
    } catch (error) {
      const { kind, code, message } = error as { kind?: string; code?: string; message: string }
      // The session is gone: the conversation begins anew.
      if (kind === 'notFound' && place.sessionId !== null) {
        await transaction((trx) => channelStore.updateConversation(trx, place, { sessionId: null }))
        return answer({ project, conversationId })
      }
      if (kind === undefined || ['internal', 'unavailable', 'rateLimited'].includes(kind)) throw error
      log.warn({ message: first.id, code }, 'A message of a channel could not be answered')
      await transaction(async (trx) => {
        await channelStore.updateMessage(trx, first, {
          status: 'sending',
          runId: null,
          text: FAILED,
          reason: message.slice(0, 300)
        })
        await jobs.send('channels.send', { id: first.id }, { trx })
      })
    }
  }

  return {
    admit,
    deliver,
    keep,
    async runsEnded(ended: readonly Fact<{ readonly runId: string }>[], trx: Trx): Promise<void> {
      const runs = ended.map(({ project, data }) => [project, data.runId] as const)
      for (const message of await channelStore.listOfRuns(trx, runs)) {
        await channelStore.updateMessage(trx, message, { status: 'sending' })
        await jobs.send('channels.send', { id: message.id }, { trx })
      }
    },
    answering: {
      work: (data: object) => answer(data as { project: string; conversationId: string }),
      concurrency: 8,
      retries: 20
    },
    cleanUp: {
      async work(): Promise<void> {
        while ((await channelStore.removeOld(settings.messageDays, BATCH)) === BATCH);
      },
      cron: '37 3 * * *'
    }
  }
}
