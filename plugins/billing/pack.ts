import { definePack } from 'agent-platform'
import type {} from '../credits/contract.ts'
import type {} from '../jobs/contract.ts'
import type {} from '../outgoing/contract.ts'
import { createManualProvider } from './manual/manual.ts'
import { billingRoutes } from './routes/billing.ts'
import { invoiceRoutes } from './routes/invoices.ts'
import { webhookRoutes } from './routes/webhooks.ts'
import { createApplying } from './services/applying.ts'
import { createCatalogueService } from './services/catalogue.ts'
import { createChanging } from './services/changing.ts'
import { createCheckoutService } from './services/checkouts.ts'
import { createEntitlementService } from './services/entitlements.ts'
import { createIntake } from './services/intake.ts'
import { createInvoiceService } from './services/invoices.ts'
import { createSubscriptionService } from './services/subscriptions.ts'
import { BillingSettings } from './settings.ts'
import { createBillingStore } from './stores/billing.ts'
import { createCustomerStore } from './stores/customers.ts'
import { createEventStore } from './stores/events.ts'
import { createProviderStore } from './stores/providers.ts'
import { createStripeClient } from './stripe/client.ts'
import { createStripeProvider } from './stripe/stripe.ts'

/** Billing: plans and packs are bought, and include what they say. */
export default definePack({
  name: 'billing',
  area: 'Money',
  summary:
    'plans, subscriptions, credit packages and invoices, paid via a provider or settled by an operator',
  requires: ['credits', 'jobs', 'outgoing'],
  settings: BillingSettings,
  services: {
    customerStore: createCustomerStore,
    billingStore: createBillingStore,
    providerStore: createProviderStore,
    eventStore: createEventStore,
    catalogueService: createCatalogueService,
    entitlementService: createEntitlementService,
    applying: createApplying,
    changing: createChanging,
    manualProvider: createManualProvider,
    stripeClient: createStripeClient,
    stripeProvider: createStripeProvider,
    checkoutService: createCheckoutService,
    subscriptionService: createSubscriptionService,
    invoiceService: createInvoiceService,
    intake: createIntake
  },
  exports: ({ entitlementService }) => entitlementService.exported,
  routes(app, deps) {
    billingRoutes(app, deps)
    invoiceRoutes(app, deps)
    webhookRoutes(app, deps)
  },
  contributes: {
    'billing.provider': [
      { key: 'manual', make: ({ manualProvider }) => manualProvider },
      { key: 'stripe', make: ({ stripeProvider }) => stripeProvider }
    ],
    'jobs.worker': [
      { key: 'billing.advance', make: ({ subscriptionService }) => subscriptionService.worker },
      { key: 'billing.sync', make: ({ intake }) => intake.syncing },
      { key: 'billing.reconcile', make: ({ intake }) => intake.reconciling }
    ]
  },
  stop: async ({ entitlementService }) => entitlementService.stop()
})
