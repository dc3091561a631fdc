import { createHash, randomInt } from 'node:crypto'
import type { Kernel, Owned, Principal } from 'agent-platform'
import { conflict, invalid, newId, notFound, upstreamFailed } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import type { Jobs } from '../../jobs/contract.ts'
import { Rejected } from '../kinds/requests.ts'
import type { Channel } from '../schemas.ts'
import type { ChannelSettings } from '../settings.ts'
import type { ChannelRow, ChannelStore } from '../store.ts'
import type { Kinds } from './kinds.ts'

export type ChannelService = ReturnType<typeof createChannelService>

const PAIR_MS = 600_000
/** How long a service may take to let a channel in. */
const CONNECT_MS = 30_000
/** Without those that are taken for others. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const MOST_TEXT = 100_000
export const hashOf = (code: string): Buffer =>
  createHash('sha256').update(code.trim().toUpperCase()).digest()

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'platform'> {
  agents: Agents
  jobs: Jobs
  settings: ChannelSettings
  kinds: Kinds
  channelStore: ChannelStore
}
type Given = Readonly<Record<string, unknown>>
type Key = Owned & { readonly agentId: string; readonly kind: string }

/** The channels of an agent, one of each kind, as its owner has them. */
export function createChannelService({
  transaction,
  facts,
  platform,
  agents,
  jobs,
  settings,
  kinds,
  channelStore
}: Deps) {
  const addressOf = (id: string) => `${platform.baseUrl.replace(/\/$/, '')}/v1/channels/${id}/deliveries`

  async function show({ agentId, owner, kind }: Key, row: ChannelRow | undefined): Promise<Channel> {
    const counts = row ? await channelStore.countAll(row.project, row.id) : { conversations: 0, waiting: 0 }
    return {
      ...{
        id: row?.id ?? null,
        agentId,
        owner,
        kind,
        state: row?.state ?? 'disconnected',
        account: row?.account ?? null
      },
      ...{ config: row?.config ?? {}, access: row?.access ?? (kinds.find(kind).isOpen ? 'open' : 'paired') },
      address: row?.state === 'connected' ? addressOf(row.id) : null,
      ...counts,
      ...{ reason: row?.reason ?? null, connectedAt: row?.connectedAt ?? null }
    }
  }

  /** What a service refused, without what it said beside. */
  async function asked<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Rejected) throw upstreamFailed(error.message, { code: 'channel_refused' })
      throw error
    }
  }

  async function connect(by: Principal, key: Key, given: Given) {
    const kind = kinds.find(key.kind)
    const { access, ...rest } = given
    if (access !== undefined && access !== 'paired' && access !== 'open')
      throw invalid('/access', '/access must be one of paired, open')
    const { config, secrets: theirs } = kinds.read(kind, rest)
    const before = await channelStore.findOf(key.project, key.agentId, key.kind)
    const id = before?.id ?? newId('channel')
    const secrets = { ...theirs, ...kind.made?.() }
    const account = await asked(() => kind.check({ config, secrets }, addressOf(id)))
    const fetched = await asked(async () =>
      kind.fetch?.({ config, secrets }, null, AbortSignal.timeout(CONNECT_MS))
    )
    const sealed = await kinds.seal(key.project, id, secrets)
    const row = await transaction(async (trx) => {
      if (!(await agents.takeShare(trx, key.project, [key.agentId]))) throw notFound('Agent')
      const current = await channelStore.findOf(key.project, key.agentId, key.kind, trx)
      if (current && current.id !== id)
        throw conflict('It is being connected already', { code: 'connecting' })
      const { project, owner, agentId } = key
      const made = await channelStore.replace(trx, {
        ...{
          project,
          id,
          owner,
          agentId,
          kind: key.kind,
          config,
          sealed,
          account,
          reason: null,
          state: 'connected'
        },
        access: access ?? before?.access ?? (kind.isOpen ? 'open' : 'paired'),
        connectedAt: new Date().toISOString(),
        cursor: fetched?.cursor ?? null,
        fetchedAt: fetched ? new Date().toISOString() : null
      })
      if (fetched)
        await jobs.send('channels.fetch', { id }, { trx, key: id, inSeconds: settings.fetchSeconds })
      const data = { id, agentId, kind: key.kind }
      await facts.record(trx, 'channels.connected', by, { subject: agentId, owner, data })
      return made
    })
    const [shown] = kind.shown ?? []
    return {
      ...(await show(key, row)),
      ...(shown !== undefined && { secret: String(secrets[shown as never]) })
    }
  }

  async function connected({ project, agentId, kind }: Key): Promise<ChannelRow> {
    const row = await channelStore.findOf(project, agentId, kind)
    if (row?.state !== 'connected') throw conflict('The channel is not connected', { code: 'not_connected' })
    return row
  }

  async function disconnect(by: Principal, key: Key) {
    const row = await channelStore.findOf(key.project, key.agentId, key.kind)
    if (row?.state === 'connected')
      await transaction(async (trx) => {
        const nothing = { sealed: null, pairHash: null, pairEndsAt: null, account: null, cursor: null }
        await channelStore.update(trx, row, { state: 'disconnected', ...nothing })
        const data = { id: row.id, agentId: key.agentId, kind: key.kind }
        await facts.record(trx, 'channels.disconnected', by, { subject: key.agentId, owner: key.owner, data })
      })
    return show(key, await channelStore.findOf(key.project, key.agentId, key.kind))
  }

  async function pair(key: Key) {
    const row = await connected(key)
    const code = Array.from({ length: 10 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    const expiresAt = new Date(Date.now() + PAIR_MS).toISOString()
    await transaction((trx) =>
      channelStore.update(trx, row, { pairHash: hashOf(code), pairEndsAt: expiresAt })
    )
    return { code, expiresAt }
  }

  async function send(key: Key, { conversation, text, ...rest }: Given) {
    const [unknown] = Object.keys(rest)
    if (unknown !== undefined) throw invalid(`/${unknown}`, `/${unknown} is not known here`)
    if (typeof conversation !== 'string' || conversation === '' || conversation.length > 200)
      throw invalid('/conversation', '/conversation must be a text of 1 to 200 characters')
    if (typeof text !== 'string' || text.trim() === '' || text.length > MOST_TEXT)
      throw invalid('/text', `/text must be a text of 1 to ${MOST_TEXT} characters`)
    const row = await connected(key)
    const { project, owner, agentId } = key
    const messageId = newId('message')
    await transaction(async (trx) => {
      const about = { project, owner, agentId, channelId: row.id }
      const place = await channelStore.takeConversation(trx, {
        ...{ ...about, id: newId('conversation'), external: conversation, paired: false, sessionId: null }
      })
      await channelStore.insertMessage(trx, {
        ...{
          ...about,
          id: messageId,
          conversationId: place.id,
          text: text.replaceAll('\0', ''),
          status: 'sending'
        }
      })
      await jobs.send('channels.send', { id: messageId }, { trx })
    })
    return { messageId }
  }

  async function test(key: Key) {
    const row = await connected(key)
    const kind = kinds.find(key.kind)
    const setup = await kinds.open(row)
    const account = await asked(() => kind.check(setup, undefined))
    return { ok: true, account }
  }

  return {
    async act(by: Principal, agentId: string, kind: string, action: string, given: Given) {
      const { project, owner } = await agents.owned(by, agentId, action === 'status' ? 'read' : 'change')
      kinds.find(kind)
      const key = { project, owner, agentId, kind }
      const takes = action === 'connect' || action === 'send'
      const [unknown] = takes ? [] : Object.keys(given)
      if (action === 'connect') return connect(by, key, given)
      if (action === 'send') return send(key, given)
      if (!['disconnect', 'status', 'pair', 'test'].includes(action)) throw notFound('Action')
      if (unknown !== undefined) throw invalid(`/${unknown}`, `/${unknown} is not known here`)
      if (action === 'disconnect') return disconnect(by, key)
      if (action === 'pair') return pair(key)
      if (action === 'test') return test(key)
      return show(key, await channelStore.findOf(project, agentId, kind))
    }
  }
}
