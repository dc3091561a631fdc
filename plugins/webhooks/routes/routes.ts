import type { App } from 'agent-platform'
import { closed, ifMatch } from 'agent-platform'
import { listDeliveries, readDelivery, replayDelivery, testWebhook } from '../schemas/deliveries.ts'
import {
  createWebhook,
  deleteWebhook,
  listEventTypes,
  listWebhooks,
  readWebhook,
  rotateSecret,
  updateWebhook
} from '../schemas/webhooks.ts'
import type { Deliveries } from '../services/deliveries.ts'
import type { WebhookService } from '../services/webhooks.ts'

interface Deps {
  webhookService: WebhookService
  deliveries: Deliveries
}

/** Where news goes is not for a model to say. */
const config = { principals: ['user', 'service'] } as const
const showing = { ...config, limit: 'sensitive', secret: 'secret' } as const

export function webhookRoutes(app: App, { webhookService, deliveries }: Deps) {
  app.post('/webhooks', { schema: createWebhook, config: showing }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await webhookService.create(principal, body) })
  })
  app.get('/webhooks', { schema: listWebhooks, config }, ({ principal, query }) =>
    webhookService.list(principal, query)
  )
  app.get('/webhooks/event-types', { schema: listEventTypes, config }, async ({ query }) =>
    webhookService.eventTypes(query)
  )
  app.get('/webhooks/:webhookId', { schema: readWebhook, config }, async ({ principal, params }) => {
    return { data: await webhookService.read(principal, params.webhookId) }
  })
  app.put('/webhooks/:webhookId', { schema: updateWebhook, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await webhookService.update(principal, params.webhookId, body, ifMatch(request)) }
  })
  app.delete('/webhooks/:webhookId', { schema: deleteWebhook, config }, async (request) => {
    const { principal, params } = request
    return { data: await webhookService.remove(principal, params.webhookId, ifMatch(request)) }
  })
  app.post('/webhooks/:webhookId/secret', { schema: rotateSecret, config: showing }, async (request) => {
    const { principal, params, body } = request
    return { data: await webhookService.rotate(principal, params.webhookId, body?.overlapHours) }
  })
  app.post(
    '/webhooks/:webhookId/test',
    { schema: testWebhook, config: { ...config, limit: 'sensitive' } },
    async ({ principal, params }, reply) => {
      return { data: await deliveries.test(principal, params.webhookId, closed(reply)) }
    }
  )
  app.get(
    '/webhooks/:webhookId/deliveries',
    { schema: listDeliveries, config },
    ({ principal, params, query }) => deliveries.list(principal, params.webhookId, query)
  )
  app.get(
    '/webhooks/:webhookId/deliveries/:deliveryId',
    { schema: readDelivery, config },
    async (request) => {
      const { principal, params } = request
      return { data: await deliveries.read(principal, params.webhookId, params.deliveryId) }
    }
  )
  app.post(
    '/webhooks/:webhookId/deliveries/:deliveryId/replay',
    { schema: replayDelivery, config },
    async ({ principal, params }) => {
      return { data: await deliveries.replay(principal, params.webhookId, params.deliveryId) }
    }
  )
}
