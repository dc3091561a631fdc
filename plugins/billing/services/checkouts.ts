import type { Kernel, Paging, Principal, Trx } from 'agent-platform'
import { conflict, newId, owned, pageOf, reachOwner, unavailable } from 'agent-platform'
import type { CheckoutOrder, Customer, OpenedCheckout } from '../provider.ts'
import type { Plan, Topup } from '../schemas/catalogue.ts'
import type { Checkout, CheckoutRow } from '../schemas/checkouts.ts'
import { checkouts } from '../schemas/checkouts.ts'
import type { SubscriptionRow } from '../schemas/subscriptions.ts'
import type { BillingSettings } from '../settings.ts'
import type { BillingStore } from '../stores/billing.ts'
import type { CustomerStore } from '../stores/customers.ts'
import type { ProviderStore } from '../stores/providers.ts'
import type { CatalogueService } from './catalogue.ts'
import type { Changing } from './changing.ts'
import { returnAddresses } from './return-addresses.ts'
import { actorOf, checkoutOf } from './showing.ts'

export type CheckoutService = ReturnType<typeof createCheckoutService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts' | 'platform' | 'log'> {
  settings: BillingSettings
  catalogueService: CatalogueService
  customerStore: CustomerStore
  billingStore: BillingStore
  providerStore: ProviderStore
  changing: Changing
}

/** Plans and packs are bought. */
export function createCheckoutService(deps: Deps) {
  const { knex, transaction, facts, platform, log, settings } = deps
  const { catalogueService, customerStore, billingStore, providerStore, changing } = deps
  const returnOf = returnAddresses(platform.baseUrl, settings.returnUrls)

  async function subscribe(by: Principal, planKey: string, returnUrl?: string): Promise<Checkout> {
    const plan = catalogueService.plan(planKey)
    const back = returnOf(returnUrl)
    const who = { project: by.project, owner: by.owner }
    await customerStore.rememberPlan(by.project, plan)
    const provider = providerOf((await changing.read(who, settings.provider)).subscription)
    let begun: { row: CheckoutRow; isChange: boolean } | undefined
    let isChange = false
    let amount = plan.price
    // One at a time, under the customer's lock: who had two of them open could pay for both.
    await changing.change(
      by,
      who,
      provider,
      async ({ subscription, mayTry }) => {
        if (providerOf(subscription) !== provider) throw busy()
        checkIsAnother(plan, subscription)
        for (const open of await billingStore.listOpenCheckouts(who))
          if (open.planId !== null) await expire(actorOf(who), open)
        isChange = subscription !== null
        amount = !isChange && mayTry && plan.trialDays > 0 ? 0 : plan.price
        return {}
      },
      async (trx) => {
        begun = { row: await insert(trx, by, provider, { plan }, amount), isChange }
      }
    )
    if (!begun) throw new Error('A checkout was not begun')
    return finish(by, begun.row, { plan, returnUrl: back }, begun.isChange)
  }

  const providerOf = (subscription: SubscriptionRow | null) => subscription?.provider ?? settings.provider

  async function buy(by: Principal, packKey: string, returnUrl?: string): Promise<Checkout> {
    const topup = catalogueService.pack(packKey)
    const back = returnOf(returnUrl)
    const row = await transaction((trx) => insert(trx, by, settings.provider, { topup }, topup.price))
    return finish(by, row, { topup, returnUrl: back }, false)
  }

  /** Before the provider knows of it, so that what it says of it is understood in any case. */
  const insert = (
    trx: Trx,
    { project, owner }: Principal,
    provider: string,
    { plan, topup }: { plan?: Plan; topup?: Topup },
    amount: number
  ): Promise<CheckoutRow> =>
    checkouts.insert(trx, {
      id: newId('checkout'),
      project,
      owner,
      provider,
      status: 'open',
      planId: plan?.id ?? null,
      packKey: topup?.key ?? null,
      amount,
      currency: (plan ?? topup)?.currency ?? '',
      credits: (plan ?? topup)?.credits ?? '0'
    })

  async function finish(
    by: Principal,
    row: CheckoutRow,
    wanted: Pick<CheckoutOrder, 'plan' | 'topup' | 'returnUrl'>,
    isChange: boolean
  ): Promise<Checkout> {
    const { id, project, owner, provider } = row
    let opened: OpenedCheckout | undefined
    try {
      await changing.change(
        by,
        { project, owner },
        provider,
        async (customer, asked) => {
          const { plan } = wanted
          const order = { ...wanted, id, customer }
          opened = await (isChange && plan
            ? asked.changePlan({ ...order, plan })
            : asked.createCheckout(order))
          if (opened.customerId !== undefined)
            await providerStore.insertCustomer({ project, owner }, provider, opened.customerId)
          return opened.state ?? {}
        },
        async (trx) => {
          const { status } = await checkouts.lock(trx, row)
          if (status !== 'open')
            throw conflict('Another plan was chosen meanwhile', { code: 'checkout_replaced' })
          const { url = null, providerId = null, expiresAt = null } = opened ?? {}
          const { row: open } = await checkouts.update(trx, row, { url, providerId, expiresAt })
          const data = checkoutOf(open as CheckoutRow)
          await facts.record(trx, 'billing.checkout_opened', by, { subject: id, owner, data })
        }
      )
    } catch (error) {
      await giveUp(row, opened?.providerId ?? null)
      throw error
    }
    const made = await checkouts.find(knex, id)
    if (!made) throw new Error('A checkout is gone')
    return checkoutOf(made as CheckoutRow)
  }

  /** Nobody was told of it, and nobody is to pay for it. */
  async function giveUp(row: CheckoutRow, providerId: string | null): Promise<void> {
    await transaction(async (trx) => {
      const { status } = await checkouts.lock(trx, row)
      if (status === 'open') await checkouts.update(trx, row, { status: 'expired' })
    })
    if (providerId === null) return
    const left = { ...row, providerId }
    await changing
      .change(actorOf(row), row, row.provider, (customer, provider) =>
        provider.expireCheckout(customer, left)
      )
      .catch((err) => log.warn({ err, checkout: row.id }, 'A checkout that was given up stays open'))
  }

  async function expire(by: Principal, { id, ...row }: CheckoutRow): Promise<void> {
    await changing.change(by, row, row.provider, async (customer: Customer, provider) => {
      // By now the provider may know of it.
      const found = (await checkouts.find(knex, id)) as CheckoutRow | undefined
      return found?.status === 'open' ? provider.expireCheckout(customer, found) : {}
    })
  }

  /** As it is at the provider now, as long as it is open. */
  async function read(by: Principal, id: string): Promise<Checkout> {
    const found = owned(by, await checkouts.find(knex, id), 'Checkout', 'read') as CheckoutRow
    if (found.status === 'open' && found.providerId !== null) await sync(found)
    return checkoutOf(((await checkouts.find(knex, id)) ?? found) as CheckoutRow)
  }

  const sync = (row: CheckoutRow) =>
    changing.change(actorOf(row), row, row.provider, (customer, provider) =>
      provider.fetchState(customer, [{ kind: 'checkout', id: row.providerId ?? '' }])
    )

  async function portal(by: Principal, returnUrl?: string): Promise<{ url: string }> {
    const back = returnOf(returnUrl)
    const who = { project: by.project, owner: by.owner }
    const key = (await customerStore.findSubscription(who))?.provider ?? settings.provider
    const provider = await changing.providerOf(by.project, key)
    return { url: await provider.createPortal(await changing.read(who, key), back) }
  }

  async function paymentMethods(by: Principal, { owner: asked, ...page }: Paging & { owner?: string }) {
    const owner = reachOwner(by, asked ?? by.owner, 'owner', { granted: by.scopes.has('platform:admin') })
    const who = { project: by.project, owner }
    const key = (await customerStore.findSubscription(who))?.provider ?? settings.provider
    const provider = await changing.providerOf(by.project, key)
    return pageOf('payment-methods', await provider.listPaymentMethods(await changing.read(who, key)), page)
  }

  return { subscribe, buy, read, portal, paymentMethods }
}

function checkIsAnother(plan: Plan, subscription: SubscriptionRow | null): void {
  const { planId, nextPlanId, cancelAtPeriodEnd } = subscription ?? {}
  const isSame = planId === plan.id ? !nextPlanId && !cancelAtPeriodEnd : nextPlanId === plan.id
  if (isSame) throw conflict('That is the plan of the subscription', { code: 'already_subscribed' })
}

const busy = () => unavailable('Too much changes at once: try again', { code: 'busy' })
