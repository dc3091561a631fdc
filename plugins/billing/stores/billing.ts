import type { Kernel, Owned, PageOf, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { CheckoutRow } from '../schemas/checkouts.ts'
import { checkouts } from '../schemas/checkouts.ts'
import type { InvoiceRow } from '../schemas/invoices.ts'
import { invoices } from '../schemas/invoices.ts'
import type { SubscriptionRow } from '../schemas/subscriptions.ts'
import { subscriptions } from '../schemas/subscriptions.ts'

export type BillingStore = ReturnType<typeof createBillingStore>

interface At {
  readonly project: string
  readonly provider: string
  readonly providerId: string
}

/** What was bought, and what is to be paid, by the names that providers have for it. */
export function createBillingStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    findSubscription: (trx: Trx, at: At): Promise<SubscriptionRow | undefined> =>
      trx('billing.subscription')
        .where(at)
        .first(subscriptions.columns as string[]),

    findInvoice: (trx: Trx, at: At): Promise<InvoiceRow | undefined> =>
      trx('billing.invoice')
        .where(at)
        .first(invoices.columns as string[]),

    /** That a payment is for. */
    findPaid: (project: string, provider: string, paymentId: string): Promise<InvoiceRow | undefined> =>
      knex('billing.invoice')
        .where({ project, provider, paymentId })
        .first(invoices.columns as string[]),

    listInvoices(
      {
        project,
        owner,
        status
      }: { project: string; owner?: string | undefined; status?: string | undefined },
      page: Paging
    ): Promise<PageOf<InvoiceRow>> {
      const query = knex('billing.invoice')
        .where({ project, ...(owner !== undefined && { owner }), ...(status !== undefined && { status }) })
        .select(invoices.columns as string[])
      return paginate<InvoiceRow>(query, page, 'invoice')
    },

    listOpenCheckouts: ({ project, owner }: Owned): Promise<CheckoutRow[]> =>
      knex('billing.checkout')
        .where({ project, owner, status: 'open' })
        .orderBy('id')
        .select(checkouts.columns as string[])
  }
}
