import type { App, Reply, Request } from 'agent-platform'
import { readCard, readCardByPath, readWellKnownCard, readWellKnownCardByPath } from '../schemas/cards.ts'
import type { Cards } from '../services/cards.ts'

/** In seconds: how long an agent that is not published any more may look as if it were. */
const FRESH = 60

export function cardRoutes(app: App, { cards }: { cards: Cards }) {
  async function send(request: Request, reply: Reply, agentId: string | undefined) {
    const { etag, card } = await cards.read(agentId)
    reply.headers({ etag, 'cache-control': `public, max-age=${FRESH}` })
    const known = request.headers['if-none-match']?.split(',') ?? []
    if (known.some((tag) => tag.trim() === etag)) return reply.code(304).send()
    return reply.send(card)
  }
  const named = (request: unknown, reply: unknown) =>
    send(request as Request, reply as Reply, (request as { query: { agentId?: string } }).query.agentId)
  const byPath = (request: unknown, reply: unknown) =>
    send(request as Request, reply as Reply, (request as { params: { agentId: string } }).params.agentId)

  app.get('/.well-known/agent.json', { schema: readCard, config: { root: true, by: 'public' } }, named)
  app.get(
    '/.well-known/agent-card.json',
    { schema: readWellKnownCard, config: { root: true, by: 'public' } },
    named
  )
  app.get('/a2a/:agentId/.well-known', { schema: readCardByPath, config: { by: 'public' } }, byPath)
  app.get(
    '/a2a/:agentId/.well-known/agent-card.json',
    { schema: readWellKnownCardByPath, config: { by: 'public' } },
    byPath
  )
}
