import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { Type } from 'typebox'
import { OrNull } from '../contract/schemas.ts'
import { isLoopback } from '../settings.ts'
import { exchangeOf } from './exchange.ts'

/** What the two health routes tell. */
export interface Health {
  readonly version: string
  packs(): { up: readonly string[]; failed: readonly string[] }
  ready(): { database: boolean; migrations: boolean; storage: boolean; draining: boolean; replica?: boolean }
}

const Names = Type.Array(Type.String())
const Live = Type.Object(
  {
    data: Type.Object({
      status: Type.Literal('ok'),
      version: OrNull(Type.String()),
      packs: OrNull(Type.Object({ up: Names, failed: Names }))
    })
  },
  { title: 'Health' }
)
const Fact = Type.Boolean()
const Ready = Type.Object(
  {
    data: Type.Object({
      ready: Fact,
      database: Fact,
      migrations: Fact,
      storage: Fact,
      draining: Fact,
      replica: Type.Optional(Fact)
    })
  },
  { title: 'Readiness' }
)
const NOTHING = { version: null, packs: null }
const live = { tags: ['health'], summary: 'Liveness', response: { 200: Live } }
const ready = {
  tags: ['health'],
  summary: 'Readiness to take requests',
  response: { 200: Ready, 503: Ready }
}

/** Strangers need not know which faults a platform may have: what it runs is shown to its own machine alone. */
function isNear({ socket, headers }: IncomingMessage): boolean {
  if (headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined) return false
  const { remoteAddress = 'localhost', localAddress } = socket
  return remoteAddress === localAddress || isLoopback(remoteAddress.replace(/^::ffff:/, ''))
}

/** `/health` and `/health/ready`: without credentials, limits or database, in every generation. */
export function healthRoutes(app: FastifyInstance, health: Health): void {
  const at =
    (path: string): onRequestHookHandler =>
    (request, reply, done) => {
      exchangeOf(request.raw).route = path
      reply.header('x-request-id', request.id)
      done()
    }
  app.get('/health', { schema: live, onRequest: at('/health') }, ({ raw }) => {
    const shown = isNear(raw) ? { version: health.version, packs: health.packs() } : NOTHING
    return { data: { status: 'ok', ...shown } }
  })
  app.get('/health/ready', { schema: ready, onRequest: at('/health/ready') }, (_request, reply) => {
    const state = health.ready()
    const ready = state.database && state.migrations && state.storage && !state.draining
    if (!ready) reply.header('retry-after', '5')
    reply.code(ready ? 200 : 503).send({ data: { ready, ...state } })
  })
}
