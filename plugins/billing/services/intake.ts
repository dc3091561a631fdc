import type { Kernel, Owned } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { Jobs, Worker } from '../../jobs/contract.ts'
import type { PaymentProvider, ProviderEvent } from '../provider.ts'
import type { EventStore } from '../stores/events.ts'
import type { ProviderStore } from '../stores/providers.ts'
import type { Changing } from './changing.ts'
import { actorOf } from './showing.ts'

export type Intake = ReturnType<typeof createIntake>

const HOUR_MS = 3_600_000
/** As far back as webhooks that did not come are looked for. */
const MOST_MS = 72 * HOUR_MS

interface Deps extends Pick<Kernel, 'transaction' | 'points' | 'log'> {
  jobs: Jobs
  eventStore: EventStore
  providerStore: ProviderStore
  changing: Changing
}

type Customer = Owned & { readonly provider: string }

/** What providers tell: each event once, and what became of things is asked for, in whatever order they come. */
export function createIntake({ transaction, points, log, jobs, eventStore, providerStore, changing }: Deps) {
  const send = ({ project, owner, provider }: Customer, trx?: Parameters<EventStore['insert']>[0]) =>
    jobs.send(
      'billing.sync',
      { project, owner, provider },
      {
        key: `${project}/${owner}/${provider}`,
        ...(trx && { trx })
      }
    )

  /** 404 for a provider that sends none, 400 for what it did not sign. */
  async function accept(
    key: string,
    body: Buffer,
    headers: Parameters<NonNullable<PaymentProvider['readWebhook']>>[1]
  ): Promise<void> {
    const provider = points.all('billing.provider').find((it) => it.key === key)?.value
    if (!provider?.readWebhook) throw notFound('Webhook')
    const event = await provider.readWebhook(body, headers)
    if (event) await record(key, provider, event)
  }

  /** Of those who are no customers of this platform nothing is kept. */
  async function record(key: string, provider: PaymentProvider, event: ProviderEvent): Promise<void> {
    const name = event.customerId ?? (await provider.findCustomer?.(event.subject)) ?? null
    const who = name === null ? undefined : await providerStore.findOwner(key, name)
    if (!who) return
    await transaction(async (trx) => {
      if (await eventStore.insert(trx, who, key, event)) await send({ ...who, provider: key }, trx)
    })
  }

  /** All that was told of someone and not looked at: once for the whole. */
  async function sync({ project, owner, provider: key }: Customer): Promise<void> {
    const who = { project, owner }
    const events = await eventStore.listPending(who, key)
    if (events.length === 0) return
    const wanted = new Map(events.map(({ kind, subjectId: id }) => [`${kind}/${id}`, { kind, id }]))
    await changing.change(
      actorOf(who),
      who,
      key,
      (customer, provider) => provider.fetchState(customer, [...wanted.values()]),
      (trx) => eventStore.settle(trx, events)
    )
  }

  /** Asks for what webhooks did not bring, and goes on with what was left. */
  async function reconcile(): Promise<void> {
    for (const { key, value: provider } of points.all('billing.provider')) {
      if (key === undefined || !provider.listEvents) continue
      const latest = Date.parse((await eventStore.findLatest(key)) ?? '') || 0
      const since = new Date(Math.max(latest - HOUR_MS, Date.now() - MOST_MS)).toISOString()
      try {
        for await (const event of provider.listEvents(since)) await record(key, provider, event)
      } catch (error) {
        log.warn({ err: error, provider: key }, 'What happened at a payment provider could not be asked for')
      }
    }
    for (const left of await eventStore.listLeft()) await send(left)
    await eventStore.removeOld()
  }

  const syncing: Worker = { work: (data) => sync(data as Customer), concurrency: 4 }
  const reconciling: Worker = { work: reconcile, cron: '*/10 * * * *' }
  return { accept, reconcile, syncing, reconciling }
}
