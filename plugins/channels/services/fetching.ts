import type { Kernel } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { ChannelKind, Fetched } from '../kinds/kind.ts'
import { Rejected } from '../kinds/requests.ts'
import type { ChannelSettings } from '../settings.ts'
import type { ChannelRow, ChannelStore } from '../store.ts'
import type { Conversing } from './conversing.ts'
import type { Kinds } from './kinds.ts'

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'principals'> {
  settings: ChannelSettings
  jobs: Jobs
  kinds: Kinds
  channelStore: ChannelStore
  conversing: Conversing
}

const BATCH = 1_000
/** A channel whose next look was lost is found after so long. */
const LATE_SECONDS = 120

/** What services keep until it is fetched is fetched, and looked for again and again. */
export function createFetching(deps: Deps) {
  const { knex, transaction, principals, settings, jobs, kinds, channelStore, conversing } = deps

  async function fetch(channel: ChannelRow, signal: AbortSignal): Promise<Fetched | undefined> {
    const kind: ChannelKind = kinds.find(channel.kind)
    return kind.fetch?.(await kinds.open(channel), channel.cursor, signal)
  }

  async function work({ id }: { id: string }, signal: AbortSignal): Promise<void> {
    const channel = await channelStore.find(id)
    if (channel?.state !== 'connected' || channel.cursor === null) return
    const owner = await principals.of(channel.project, channel.owner)
    let wait = settings.fetchSeconds
    // Of who may do nothing nothing is fetched, until that may do something again.
    if (owner)
      try {
        const fetched = await fetch(channel, signal)
        if (!fetched) return
        // Each is known by the service's own id: what is fetched again after a crash is not answered again.
        for (const message of fetched.messages)
          await transaction((trx) => conversing.keep(trx, channel, owner, message))
        await channelStore.updateCursor(channel, fetched.cursor)
        if (fetched.isMore) wait = 0
      } catch (error) {
        if (!(error instanceof Rejected)) throw error
        wait = Math.max(wait, error.retryAfter ?? 0)
        await channelStore.update(knex, channel, { reason: error.message })
      }
    await jobs.send('channels.fetch', { id }, { key: id, inSeconds: wait })
  }

  async function sweep(): Promise<void> {
    for (const id of await channelStore.listUnfetched(settings.fetchSeconds + LATE_SECONDS, BATCH))
      await jobs.send('channels.fetch', { id }, { key: id })
  }

  const fetching: Worker = {
    work: (data, signal) => work(data as { id: string }, signal),
    concurrency: 4,
    timeoutSeconds: 120
  }
  const sweeping: Worker = { work: sweep, cron: '* * * * *' }
  return { fetching, sweeping }
}
