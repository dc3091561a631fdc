import type { App } from 'agent-platform'
import { readCatalogue } from '../schemas/catalogue.ts'
import {
  checkoutSubscription,
  checkoutTopup,
  listPaymentMethods,
  openPortal,
  readCheckout
} from '../schemas/checkouts.ts'
import {
  cancelSubscription,
  readEntitlements,
  readSubscription,
  resumeSubscription
} from '../schemas/subscriptions.ts'
import type { CatalogueService } from '../services/catalogue.ts'
import type { CheckoutService } from '../services/checkouts.ts'
import type { EntitlementService } from '../services/entitlements.ts'
import type { SubscriptionService } from '../services/subscriptions.ts'

interface Deps {
  catalogueService: CatalogueService
  checkoutService: CheckoutService
  entitlementService: EntitlementService
  subscriptionService: SubscriptionService
}

/** A model buys nothing. */
const people = { principals: ['user', 'service'] } as const
const buying = { ...people, limit: 'sensitive', failures: ['upstream', 'upstreamTimeout'] } as const

export function billingRoutes(app: App, deps: Deps) {
  const { catalogueService, checkoutService, entitlementService, subscriptionService } = deps

  app.get('/billing/catalog', { schema: readCatalogue, config: { by: 'public' } }, () => {
    return { data: catalogueService.catalogue }
  })

  app.get('/billing/subscription', { schema: readSubscription }, async ({ principal, query }) => {
    return { data: await subscriptionService.read(principal, query.owner) }
  })

  app.get('/billing/entitlements', { schema: readEntitlements }, async ({ principal, query }) => {
    return { data: await entitlementService.read(principal, query.owner) }
  })

  const methods = { ...people, failures: buying.failures }
  app.get(
    '/billing/payment-methods',
    { schema: listPaymentMethods, config: methods },
    ({ principal, query }) => checkoutService.paymentMethods(principal, query)
  )

  const subscribing = { ...buying, failures: [...buying.failures, 'paymentRequired'] as const }
  app.post(
    '/billing/checkout/subscription',
    { schema: checkoutSubscription, config: subscribing },
    async ({ principal, body }, reply) => {
      const data = await checkoutService.subscribe(principal, body.planKey, body.returnUrl)
      return reply.code(201).send({ data })
    }
  )

  app.post(
    '/billing/checkout/topup',
    { schema: checkoutTopup, config: buying },
    async ({ principal, body }, reply) => {
      const data = await checkoutService.buy(principal, body.packKey, body.returnUrl)
      return reply.code(201).send({ data })
    }
  )

  app.get(
    '/billing/checkouts/:checkoutId',
    { schema: readCheckout, config: methods },
    async ({ principal, params }) => {
      return { data: await checkoutService.read(principal, params.checkoutId) }
    }
  )

  app.post('/billing/portal', { schema: openPortal, config: buying }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await checkoutService.portal(principal, body.returnUrl) })
  })

  app.post(
    '/billing/subscription/cancel',
    { schema: cancelSubscription, config: buying },
    async ({ principal, body }) => {
      return { data: await subscriptionService.cancel(principal, body.atPeriodEnd ?? true) }
    }
  )

  app.post(
    '/billing/subscription/resume',
    { schema: resumeSubscription, config: buying },
    async ({ principal }) => {
      return { data: await subscriptionService.resume(principal) }
    }
  )
}
