import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import { Type } from 'typebox'
import { exchangeOf } from './exchange.ts'

/** What the two health routes tell. */
export interface Health {
  readonly version: string
  packs(): { up: readonly string[]; failed: readonly string[] }
  ready(): { database: boolean; migrations: boolean; draining: boolean }
}

const Names = Type.Array(Type.String())
const Live = Type.Object(
  {
    data: Type.Object({
      status: Type.Literal('ok'),
      version: Type.String(),
      packs: Type.Object({ up: Names, failed: Names })
    })
  },
  { title: 'Health' }
)
const Fact = Type.Boolean()
const Ready = Type.Object(
  { data: Type.Object({ ready: Fact, database: Fact, migrations: Fact, draining: Fact }) },
  { title: 'Readiness' }
)
const live = { tags: ['health'], summary: 'Liveness', response: { 200: Live } }
const ready = {
  tags: ['health'],
  summary: 'Readiness to take requests',
  response: { 200: Ready, 503: Ready }
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
  app.get('/health', { schema: live, onRequest: at('/health') }, () => ({
    data: { status: 'ok', version: health.version, packs: health.packs() }
  }))
  app.get('/health/ready', { schema: ready, onRequest: at('/health/ready') }, (_request, reply) => {
    const state = health.ready()
    const ready = state.database && state.migrations && !state.draining
    reply.code(ready ? 200 : 503).send({ data: { ready, ...state } })
  })
}
