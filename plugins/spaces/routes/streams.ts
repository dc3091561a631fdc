import type { App, Reply, Request, Streams } from 'agent-platform'
import { sendSignal, subscribe, unsubscribe } from '../schemas/streams.ts'
import type { Subscriptions } from '../services/subscriptions.ts'

interface Deps {
  streams: Streams
  subscriptions: Subscriptions
}

const config = { tokens: 'whole' } as const

export function streamRoutes(app: App, { streams, subscriptions }: Deps) {
  app.get('/spaces/:spaceId/subscribe', { schema: subscribe, config }, async (request, reply) => {
    const served = await subscriptions.find(request.principal, request.params.spaceId)
    await streams.serve(request as Request, reply as Reply, served)
    return reply
  })

  app.get('/spaces/:spaceId/unsubscribe', { schema: unsubscribe, config }, async ({ principal, params }) => {
    return { data: await subscriptions.unsubscribe(principal, params.spaceId) }
  })

  app.post(
    '/spaces/:spaceId/signals',
    { schema: sendSignal, config },
    async ({ principal, params, body }) => {
      return { data: await subscriptions.signal(principal, params.spaceId, body) }
    }
  )
}
