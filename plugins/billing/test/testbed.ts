import { setTimeout as delay } from 'node:timers/promises'
import type { BootOptions } from '../../../test/boot.ts'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import type { Intake } from '../services/intake.ts'
import type { SubscriptionService } from '../services/subscriptions.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export const plan = (key: string, price: number, fields: object = {}) => ({
  key,
  name: `Plan ${key}`,
  price,
  currency: 'eur',
  interval: 'month',
  ...fields
})
export const PLANS = [
  plan('free', 0, { entitlements: { agents: 3, voice: false } }),
  plan('pro', 2_000, { credits: '100', entitlements: { agents: 10, voice: true } }),
  plan('team', 6_000, { credits: '500', entitlements: { agents: 50, voice: true } }),
  plan('trial', 1_000, { trialDays: 14, credits: '50', entitlements: { agents: 5 } })
]
export const PACKS = [{ key: 'small', name: '50 credits', credits: '50', price: 500, currency: 'eur' }]

/** A platform that sells plans and packs. */
export async function shop(t: Scope, { env, ...options }: BootOptions = {}, ...packs: string[]) {
  const booted = await boot(t, 'billing', ...packs, {
    ...options,
    env: {
      BILLING_PLANS: JSON.stringify(PLANS),
      BILLING_PACKS: JSON.stringify(PACKS),
      BILLING_DEFAULT_PLAN: 'free',
      ...env
    }
  })
  const { platform, as, admin: root, anyone } = booted
  const { knex } = platform
  let people = 0
  const deps = () => platform.server.current().packs.get('billing')?.deps as unknown as Inside
  return {
    booted,
    platform,
    knex,
    as,
    root,
    anyone,
    deps,
    person: () => as(`buyer-${++people}`),
    /** The clock goes on by so many days for all that someone has. */
    async later(owner: Client, days: number) {
      const shift = (column: string) => ({
        [column]: knex.raw(`?? - make_interval(days => ?)`, [column, days])
      })
      const all = (columns: readonly string[]) => Object.assign({}, ...columns.map(shift))
      await knex('billing.subscription')
        .where({ owner: owner.id })
        .update(all(['trialEndsAt', 'currentPeriodStart', 'currentPeriodEnd', 'pastDueSince']))
      await knex('billing.invoice')
        .where({ owner: owner.id })
        .update(all(['dueAt', 'periodStart', 'periodEnd']))
      // Months are not of one length: what follows is counted anew.
      await knex('billing.subscription')
        .where({ owner: owner.id })
        .update({ anchorAt: knex.ref('currentPeriodEnd') })
      deps().entitlementService.changed({ project: 'default', owner: owner.id })
      await deps().subscriptionService.advance()
    },
    /** All that providers told was looked at. */
    async settled() {
      while (await knex('billing.event').whereNull('handledAt').first()) await delay(20)
    },
    reconcile: () => deps().intake.reconcile(),
    async factsOf(owner: Client, name: string) {
      return knex('kernel.fact').where({ owner: owner.id, name }).orderBy('id')
    }
  }
}

export interface Inside {
  readonly intake: Intake
  readonly subscriptionService: SubscriptionService
  readonly entitlementService: { changed(who: { project: string; owner: string }): void }
}

export const subscriptionOf = async (client: Client) =>
  (await client.get('/v1/billing/subscription')).body.data
export const invoicesOf = async (client: Client, query = '') =>
  (await client.get(`/v1/billing/invoices?limit=100${query}`)).body.data
export const balanceOf = async (client: Client) => (await client.get('/v1/credits/balance')).body.data.balance
export const entitledTo = async (client: Client) => {
  const { data } = (await client.get('/v1/billing/entitlements')).body
  const values = data.entitlements.map((it: { name: string; limit: number | null }) => [it.name, it.limit])
  return { ...data, ...Object.fromEntries(values) }
}

/** Asserts that it was made; what was made. */
export async function make(client: Client, path: string, body: object) {
  const reply = await client.post(path, body)
  if (reply.status !== 201) throw new Error(`${path}: ${reply.status} ${reply.text}`)
  return reply.body.data
}
export const subscribe = (client: Client, planKey: string) =>
  make(client, '/v1/billing/checkout/subscription', { planKey })
export const buy = (client: Client, packKey = 'small') =>
  make(client, '/v1/billing/checkout/topup', { packKey })
