import type { Kernel, Owned, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Plan } from '../schemas/catalogue.ts'
import type { InvoiceRow } from '../schemas/invoices.ts'
import { invoices } from '../schemas/invoices.ts'
import type { SubscriptionRow } from '../schemas/subscriptions.ts'
import { subscriptions } from '../schemas/subscriptions.ts'

export type CustomerStore = ReturnType<typeof createCustomerStore>

export interface CustomerRow extends Owned {
  readonly id: string
  readonly revision: number
}

const live = (rows: readonly SubscriptionRow[]) => rows.find(({ status }) => status !== 'canceled') ?? null

/** Who buys, with what they have. */
export function createCustomerStore({ knex }: Pick<Kernel, 'knex'>) {
  const columns = ['project', 'id', 'owner', 'revision'] as const

  return {
    /** Made at its first use. */
    async take({ project, owner }: Owned): Promise<CustomerRow> {
      const find = () =>
        knex('billing.customer')
          .where({ project, owner })
          .first(...columns)
      const found = await find()
      if (found) return found
      await knex('billing.customer')
        .insert({ project, owner, id: newId('customer') })
        .onConflict(['project', 'owner'])
        .ignore()
      return find()
    },

    /** As it stays until the transaction ends; false where something was written since it was read. */
    async lock(trx: Trx, { project, id, revision }: CustomerRow): Promise<boolean> {
      const counted = await trx('billing.customer')
        .where({ project, id, revision })
        .update({ revision: revision + 1 })
      return counted > 0
    },

    /** The latest first. */
    listSubscriptions: async ({ project, owner }: Owned): Promise<SubscriptionRow[]> =>
      knex('billing.subscription')
        .where({ project, owner })
        .orderByRaw(`status = 'canceled', id desc`)
        .limit(100)
        .select(subscriptions.columns as string[]),

    /** The one that is not over, else the latest; null without any. */
    async findSubscription(on: Owned): Promise<SubscriptionRow | null> {
      const rows = await this.listSubscriptions(on)
      return live(rows) ?? rows[0] ?? null
    },

    listOpenInvoices: async ({ project, owner }: Owned): Promise<InvoiceRow[]> =>
      knex('billing.invoice')
        .where({ project, owner, status: 'open' })
        .orderBy('id', 'desc')
        .limit(100)
        .select(invoices.columns as string[]),

    /** Those of whom something is due by the clock alone, of that provider; with the actor's owner. */
    async listDue(provider: string, graceDays: number, limit: number): Promise<readonly Owned[]> {
      const { rows } = await knex.raw(
        `select project, owner from billing.subscription where provider = :provider and status <> 'canceled'
            and ((status <> 'past_due' and "currentPeriodEnd" <= now())
              or "pastDueSince" <= now() - make_interval(days => :graceDays))
         union
         select i.project, i.owner from billing.invoice i
           left join billing.subscription s on s.project = i.project and s.id = i."subscriptionId"
           where i.provider = :provider and i.status = 'open' and i."dueAt" <= now()
             and (s.id is null or s.status <> 'past_due')
         limit :limit`,
        { provider, graceDays, limit }
      )
      return rows
    },

    async listPlans(project: string): Promise<readonly Plan[]> {
      const rows: { terms: Plan }[] = await knex('billing.plan').where({ project }).select('terms')
      return rows.map(({ terms }) => terms)
    },

    async rememberPlan(project: string, plan: Plan): Promise<void> {
      await knex('billing.plan')
        .insert({ project, id: plan.id, owner: 'platform', terms: JSON.stringify(plan) })
        .onConflict(['project', 'id'])
        .ignore()
    }
  }
}
