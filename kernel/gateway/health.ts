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
const live = {
  tags: ['health'],
  summary: 'Liveness',
  response: {
    200: Type.Object(
      {
        data: Type.Object({
          status: Type.Literal('ok'),
          version: Type.String(),
          packs: Type.Object({ up: Names, failed: Names })
        })
      },
      { title: 'Health' }
    )
  }
}
const Readiness = Type.Object(
  {
    data: Type.Object({
      ready: Type.Boolean(),
      database: Type.Boolean(),
      migrations: Type.Boolean(),
      draining: Type.Boolean()
    })
  },
  { title: 'Readiness' }
)
const readiness = {
  tags: ['health'],
  summary: 'Readiness to take requests',
  response: { 200: Readiness, 503: Readiness }
}

/** `/health` and `/health/ready`: without credentials, limits or database, in every generation. */
export function healthRoutes(app: FastifyInstance, health: Health): void {
  const at =
    (path: string): onRequestHookHandler =>
    (request, _reply, done) => {
      exchangeOf(request.raw).route = path
      done()
    }
  app.get('/health', { schema: live, onRequest: at('/health') }, () => ({
    data: { status: 'ok', version: health.version, packs: health.packs() }
  }))
  app.get('/health/ready', { schema: readiness, onRequest: at('/health/ready') }, (_request, reply) => {
    const { database, migrations, draining } = health.ready()
    const ready = database && migrations && !draining
    reply.code(ready ? 200 : 503).send({ data: { ready, database, migrations, draining } })
  })
}
