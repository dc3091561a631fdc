import type { App, Reply } from 'agent-platform'
import { mintTicket, readComposite } from '../schemas/streams.ts'
import type { Composite } from '../services/composite.ts'
import type { Tickets } from '../services/tickets.ts'

interface Deps {
  tickets: Tickets
  composite: Composite
}

export function mediaRoutes(app: App, { tickets, composite }: Deps) {
  const config = { limit: 'sensitive', secret: 'token' } as const
  app.post(
    '/spaces/:spaceId/rtc-ticket',
    { schema: mintTicket, config },
    async ({ principal, params }, reply) => {
      return reply.code(201).send({ data: await tickets.mint(principal, params.spaceId) })
    }
  )

  app.get(
    '/spaces-stream/:spaceId/composite.png',
    { schema: readComposite, config: { tokens: 'whole' } },
    async (request, reply) => {
      const { etag, png } = await composite.find(request.principal, request.params.spaceId)
      reply.headers({ etag, 'cache-control': 'private, no-cache', 'x-content-type-options': 'nosniff' })
      const known = request.headers['if-none-match']?.split(',').map((it) => it.trim().replace(/^W\//, ''))
      if (known?.some((it) => it === etag || it === '*'))
        return (reply as unknown as Reply).code(304).send(null)
      return reply.header('content-type', 'image/png').send((await png()) as never)
    }
  )
}
