import type { App, Asked } from 'agent-platform'
import { deliver, disableWebhook, mintWebhook, readWebhook } from '../schemas/webhooks.ts'
import type { Admitted, DeliveryService } from '../services/deliveries.ts'
import type { WebhookService } from '../services/webhooks.ts'

const managed = { limit: 'sensitive', principals: ['user', 'service'] } as const

interface Deps {
  webhookService: WebhookService
  deliveryService: DeliveryService
}

export function webhookRoutes(app: App, { webhookService, deliveryService }: Deps) {
  /** Of a request that was let in by its token, by its headers. */
  const admitted = new WeakMap<Asked['headers'], Admitted>()

  async function by({ params, headers }: Asked) {
    const found = await deliveryService.admit((params as { token: string }).token)
    admitted.set(headers, found)
    return found.owner
  }

  app.get('/workflows/:id/webhook', { schema: readWebhook }, async ({ principal, params }) => {
    return { data: await webhookService.read(principal, params.id) }
  })

  app.post(
    '/workflows/:id/webhook-token',
    { schema: mintWebhook, config: { ...managed, secret: ['token', 'secret'] } },
    async ({ principal, params, body }, reply) => {
      return reply.code(201).send({ data: await webhookService.mint(principal, params.id, body ?? {}) })
    }
  )

  app.delete(
    '/workflows/:id/webhook-token',
    { schema: disableWebhook, config: managed },
    async ({ principal, params }) => {
      return { data: await webhookService.disable(principal, params.id) }
    }
  )

  app.post(
    '/workflows/webhooks/:token',
    { schema: deliver, config: { by, body: 'raw', repeats: 'own' } },
    async (request, reply) => {
      const { principal, headers, query, method } = request
      const found = admitted.get(headers) as Admitted
      const bytes = request.body as Buffer | undefined
      const delivery = { headers, query: { ...query }, bytes, method }
      return reply.code(202).send({ data: await deliveryService.accept(principal, found, delivery) })
    }
  )
}
