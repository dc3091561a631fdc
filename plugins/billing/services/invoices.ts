import type { Kernel, Principal } from 'agent-platform'
import { conflict, forbidden, invalid, notFound, owned, reachOwner } from 'agent-platform'
import type { Invoice, InvoiceQuery, InvoiceRow } from '../schemas/invoices.ts'
import { invoices } from '../schemas/invoices.ts'
import type { BillingStore } from '../stores/billing.ts'
import type { Changing } from './changing.ts'
import { invoiceOf } from './showing.ts'

export type InvoiceService = ReturnType<typeof createInvoiceService>

interface Deps extends Pick<Kernel, 'knex'> {
  billingStore: BillingStore
  changing: Changing
}

/** Invoices, and what operators say became of them. */
export function createInvoiceService({ knex, billingStore, changing }: Deps) {
  const isAdmin = (by: Principal) => by.scopes.has('platform:admin')

  async function list(by: Principal, { owner: asked, status, all = false, ...page }: InvoiceQuery) {
    if (all && !isAdmin(by))
      throw forbidden('All invoices are listed with platform:admin', { param: 'all', code: 'scope_missing' })
    const owner =
      all && asked === undefined
        ? undefined
        : reachOwner(by, asked ?? by.owner, 'owner', { granted: isAdmin(by) })
    const found = await billingStore.listInvoices({ project: by.project, owner, status }, page)
    return { ...found, data: found.data.map(invoiceOf) }
  }

  const find = async (by: Principal, id: string): Promise<InvoiceRow> =>
    owned(by, await invoices.find(knex, id), 'Invoice', 'read', { granted: isAdmin(by) }) as InvoiceRow

  const read = async (by: Principal, id: string): Promise<Invoice> => invoiceOf(await find(by, id))

  /** `check` refuses what cannot become of the invoice as it is now. */
  async function settle(
    by: Principal,
    id: string,
    outcomeOf: (row: InvoiceRow) => { readonly status: 'paid' | 'void' } | { readonly refund: number }
  ): Promise<Invoice> {
    const { project, owner, provider: key } = await find(by, id)
    await changing.change(by, { project, owner }, key, async (customer, provider) => {
      if (!provider.settleInvoice)
        throw conflict(`${key} settles its invoices itself`, { code: 'provider_settles' })
      const row = await invoices.find(knex, id)
      if (!row) throw notFound('Invoice')
      return provider.settleInvoice(customer, row as InvoiceRow, outcomeOf(row as InvoiceRow))
    })
    return read(by, id)
  }

  const settleOpen = (by: Principal, id: string, status: 'paid' | 'void') =>
    settle(by, id, (row) => {
      if (row.status !== 'open') throw conflict(`The invoice is ${row.status}`, { code: 'invoice_settled' })
      return { status }
    })

  return {
    list,
    read,
    pay: (by: Principal, id: string) => settleOpen(by, id, 'paid'),
    voidOpen: (by: Principal, id: string) => settleOpen(by, id, 'void'),

    refund: (by: Principal, id: string, amount?: number) =>
      settle(by, id, ({ status, amountPaid, amountRefunded }) => {
        const left = amountPaid - amountRefunded
        if (status !== 'paid' || left === 0)
          throw conflict('Nothing of the invoice is left to refund', { code: 'nothing_paid' })
        if (amount !== undefined && amount > left)
          throw invalid('/amount', `/amount must be ${left} at most, which is what is left`)
        return { refund: amountRefunded + (amount ?? left) }
      })
  }
}
