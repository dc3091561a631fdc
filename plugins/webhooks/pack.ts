import type { Fact, Trx } from 'agent-platform'
import { definePack } from 'agent-platform'
import type {} from './contract.ts'
import { publicNames } from './events.ts'
import { webhookRoutes } from './routes/routes.ts'
import type { Deliveries } from './services/deliveries.ts'
import { createDeliveries } from './services/deliveries.ts'
import { createPosts } from './services/posts.ts'
import { createWebhookService } from './services/webhooks.ts'
import { WebhookSettings } from './settings.ts'
import { createDeliveryStore } from './stores/deliveries.ts'
import { createWebhookStore } from './stores/webhooks.ts'

/** All are told alike, whatever they say. */
const on = Object.fromEntries(
  publicNames.map((name) => [
    name,
    {
      batch:
        ({ deliveries }: { deliveries: Deliveries }) =>
        (facts: Fact[], trx: Trx) =>
          deliveries.published(facts, trx)
    }
  ])
) as object

/** Webhooks: programs elsewhere are told what happened. */
export default definePack({
  name: 'webhooks',
  area: 'Work',
  summary: 'outbound webhooks: signed event notifications with retries',
  requires: ['jobs', 'outgoing'],
  settings: WebhookSettings,
  services: {
    webhookStore: createWebhookStore,
    deliveryStore: createDeliveryStore,
    webhookService: createWebhookService,
    posts: createPosts,
    deliveries: createDeliveries
  },
  routes: webhookRoutes,
  on,
  contributes: {
    'jobs.worker': [
      { key: 'webhooks.deliver', make: ({ deliveries }) => deliveries.worker },
      { key: 'webhooks.clean-up', make: ({ deliveries }) => deliveries.cleanUp }
    ]
  },
  cascade: { 'webhooks.deleted': { delivery: 'webhookId', attempt: 'webhookId' } }
})
