import type { Kernel, Principal } from 'agent-platform'
import { paymentRequired, reachOwner } from 'agent-platform'
import type { Billing, Entitlements, Subscriber } from '../contract.ts'
import type { Plan } from '../schemas/catalogue.ts'
import type { Entitled, SubscriptionRow } from '../schemas/subscriptions.ts'
import type { BillingSettings } from '../settings.ts'
import type { CustomerStore } from '../stores/customers.ts'
import type { CatalogueService } from './catalogue.ts'
import { graceEnd } from './showing.ts'

export type EntitlementService = ReturnType<typeof createEntitlementService>

/** A signal may be lost. */
const BELIEVE_MS = 10_000
const DAY_MS = 86_400_000

interface Deps extends Pick<Kernel, 'remembered' | 'points'> {
  settings: BillingSettings
  catalogueService: CatalogueService
  customerStore: CustomerStore
}

interface Known {
  readonly row: SubscriptionRow
  readonly plan: Plan | undefined
}

/** What the plan of someone includes. */
export function createEntitlementService(deps: Deps) {
  const { remembered, points, settings, catalogueService, customerStore } = deps
  const { defaultPlan } = catalogueService

  const known = remembered(
    'billing.entitlements',
    async (text): Promise<Known | null> => {
      const [project, owner] = JSON.parse(text)
      const row = await customerStore.findSubscription({ project, owner })
      if (!row || row.status === 'canceled') return null
      return { row, plan: (await catalogueService.versions(project, [row.planId]))(row.planId) }
    },
    BELIEVE_MS
  )
  const keyOf = ({ project, owner }: Subscriber) => JSON.stringify([project, owner])

  async function entitlements(who: Subscriber): Promise<Entitlements> {
    const found = await known.of(keyOf(who))
    // The clock goes on while it is remembered.
    if (found?.plan && Date.now() < endOf(found.row, settings.graceDays)) {
      const { row, plan } = found
      return entitled(plan, row.status, graceEnd(row, settings.graceDays))
    }
    return entitled(defaultPlan, null, null)
  }

  async function limit(who: Subscriber, name: string): Promise<number | null> {
    return limitOf((await entitlements(who)).values[name])
  }
  const has = async (who: Subscriber, name: string) => (await limit(who, name)) !== 0

  async function check(who: Subscriber, name: string): Promise<void> {
    if (!(await has(who, name)))
      throw paymentRequired(`The plan does not include ${name}`, { code: 'plan_required' })
  }

  const exported: Billing = {
    entitlements,
    has,
    limit,
    check,
    gate: (name) => async (request) => check(request.principal, name)
  }

  async function read(by: Principal, asked = by.owner): Promise<Entitled> {
    const owner = reachOwner(by, asked, 'owner', { granted: by.scopes.has('platform:admin') })
    const who = { project: by.project, owner }
    const { values, ...rest } = await entitlements(who)
    const meters = new Map(
      points.all('billing.meter').map(({ value }) => [value.entitlement, value] as const)
    )
    const rows = Object.entries(values).map(async ([name, value]) => {
      const limit = limitOf(value)
      const used = (await meters.get(name)?.used(who)) ?? null
      return { name, isIncluded: limit !== 0, limit, used }
    })
    return { owner, ...rest, entitlements: await Promise.all(rows) }
  }

  return {
    exported,
    read,
    /** After the commit. */
    changed: (who: Subscriber) => known.changed(keyOf(who)),
    stop: () => known[Symbol.dispose]()
  }
}

const limitOf = (value: boolean | number | undefined): number | null =>
  value === true ? null : Number(value ?? 0)

const entitled = (
  plan: Plan | undefined,
  status: Entitlements['status'],
  graceEndsAt: string | null
): Entitlements => ({
  planKey: plan?.key ?? null,
  planId: plan?.id ?? null,
  status,
  graceEndsAt,
  values: plan?.entitlements ?? {}
})

/** When it counts no more, also where nobody says so: a provider that is away, or a clock that nobody looked at. */
function endOf(row: SubscriptionRow, graceDays: number): number {
  const grace = graceDays * DAY_MS
  if (row.pastDueSince !== null) return Date.parse(row.pastDueSince) + grace
  const end = Date.parse(row.currentPeriodEnd)
  return row.cancelAtPeriodEnd ? end : end + Math.max(grace, DAY_MS)
}
