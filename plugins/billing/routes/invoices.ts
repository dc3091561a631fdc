import type { App } from 'agent-platform'
import { listInvoices, payInvoice, readInvoice, refundInvoice, voidInvoice } from '../schemas/invoices.ts'
import type { InvoiceService } from '../services/invoices.ts'

const people = { principals: ['user', 'service'] } as const
const admin = { scope: ['platform:admin'] } as const

export function invoiceRoutes(app: App, { invoiceService }: { invoiceService: InvoiceService }) {
  app.get('/billing/invoices', { schema: listInvoices, config: people }, ({ principal, query }) =>
    invoiceService.list(principal, query)
  )

  app.get(
    '/billing/invoices/:invoiceId',
    { schema: readInvoice, config: people },
    async ({ principal, params }) => {
      return { data: await invoiceService.read(principal, params.invoiceId) }
    }
  )

  app.post(
    '/billing/invoices/:invoiceId/pay',
    { schema: payInvoice, config: admin },
    async ({ principal, params }) => {
      return { data: await invoiceService.pay(principal, params.invoiceId) }
    }
  )

  app.post(
    '/billing/invoices/:invoiceId/void',
    { schema: voidInvoice, config: admin },
    async ({ principal, params }) => {
      return { data: await invoiceService.voidOpen(principal, params.invoiceId) }
    }
  )

  app.post(
    '/billing/invoices/:invoiceId/refund',
    { schema: refundInvoice, config: admin },
    async ({ principal, params, body }) => {
      return { data: await invoiceService.refund(principal, params.invoiceId, body.amount) }
    }
  )
}
