import type { Kernel, Principal } from 'agent-platform'
import { conflict, notFound, reachOwner } from 'agent-platform'
import type { Worker } from '../../jobs/contract.ts'
import type { Subscription, SubscriptionRow } from '../schemas/subscriptions.ts'
import type { BillingSettings } from '../settings.ts'
import type { CustomerStore } from '../stores/customers.ts'
import type { CatalogueService } from './catalogue.ts'
import type { Changing } from './changing.ts'
import { actorOf, subscriptionOf } from './showing.ts'

export type SubscriptionService = ReturnType<typeof createSubscriptionService>

/** Customers whom one look at the clock moves on. */
const AT_ONCE = 500

interface Deps extends Pick<Kernel, 'points' | 'log'> {
  settings: BillingSettings
  catalogueService: CatalogueService
  customerStore: CustomerStore
  changing: Changing
}

/** Subscriptions: how they are, and how they end and go on. */
export function createSubscriptionService(deps: Deps) {
  const { points, log, settings, catalogueService, customerStore, changing } = deps

  async function shown(row: SubscriptionRow): Promise<Subscription> {
    const plan = await catalogueService.versions(row.project, [row.planId])
    return subscriptionOf(row, plan, settings.graceDays)
  }

  async function read(by: Principal, asked = by.owner): Promise<Subscription | null> {
    const owner = reachOwner(by, asked, 'owner', { granted: by.scopes.has('platform:admin') })
    const row = await customerStore.findSubscription({ project: by.project, owner })
    return row && shown(row)
  }

  /** The caller's that is not over, as it is after that. */
  async function change(
    by: Principal,
    ask: (row: SubscriptionRow) => Parameters<Changing['change']>[3]
  ): Promise<Subscription> {
    const who = { project: by.project, owner: by.owner }
    const found = await customerStore.findSubscription(who)
    if (!found || found.status === 'canceled') throw notFound('Subscription')
    await changing.change(by, who, found.provider, async (customer, provider) => {
      if (!customer.subscription) throw notFound('Subscription')
      return ask(customer.subscription)(customer, provider)
    })
    const row = await customerStore.findSubscription(who)
    if (!row) throw new Error('A subscription is gone')
    return shown(row)
  }

  const cancel = (by: Principal, atPeriodEnd: boolean) =>
    change(by, (row) => (customer, provider) => provider.cancel(customer, row, atPeriodEnd))

  const resume = (by: Principal) =>
    change(by, (row) => (customer, provider) => {
      if (!row.cancelAtPeriodEnd)
        throw conflict('The subscription is not to end with its period', { code: 'not_canceled' })
      return provider.resume(customer, row)
    })

  /** Moves on what nothing but the clock moves, as far as it is due at that time. */
  async function advance(now = new Date()): Promise<void> {
    for (const { value, key } of points.all('billing.provider')) {
      if (!value.advance || key === undefined) continue
      for (const who of await customerStore.listDue(key, settings.graceDays, AT_ONCE))
        await changing
          .change(actorOf(who), who, key, async (customer, provider) =>
            provider.advance ? provider.advance(customer, now) : {}
          )
          // One of them holds up no other.
          .catch((error) =>
            log.error({ err: error, project: who.project }, 'A subscription does not move on')
          )
    }
  }

  const worker: Worker = { work: () => advance(), cron: '* * * * *' }
  return { read, cancel, resume, advance, worker }
}
