import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import Fastify from 'fastify'
import { notFound } from '../contract/errors.ts'
import { takeBodies } from './bodies.ts'
import { exchangeOf } from './exchange.ts'
import { replyWithFailure } from './failures.ts'
import { answerAsGet } from './head.ts'
import type { Health } from './health.ts'
import { healthRoutes } from './health.ts'
import { serializerCompiler, validatorCompiler } from './validation.ts'

export interface AppOptions {
  readonly trustProxy: string
  readonly corsOrigins: readonly string[]
  readonly health: Health
}

const JSON_BODY_LIMIT = 1_048_576
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const EXPOSED = ['x-request-id', 'x-run-id', 'etag', 'retry-after', 'idempotency-replayed']

/** Fastify with what is the same for all generations: parsing, validation, failures, health. */
export function createApp({ trustProxy, corsOrigins, health }: AppOptions): FastifyInstance {
  const options: FastifyServerOptions = {
    logger: false,
    // The kernel owns the one server; a shared emitter would gather the listeners of every generation.
    serverFactory: () => new EventEmitter() as Server,
    genReqId: (raw) => exchangeOf(raw as never).id,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    trustProxy: trustProxyOf(trustProxy),
    bodyLimit: JSON_BODY_LIMIT,
    routerOptions: { maxParamLength: 512 },
    frameworkErrors: replyWithFailure
  }
  const app = Fastify(options)
  app.setValidatorCompiler(validatorCompiler as never)
  app.setSerializerCompiler(serializerCompiler as never)
  app.setErrorHandler(replyWithFailure)
  app.setNotFoundHandler((request, reply) => {
    if (request.method === 'HEAD') answerAsGet(app, request, reply)
    else replyWithFailure(notFound('Route'), request, reply)
  })
  app.decorateRequest('principal')
  takeBodies(app, JSON_BODY_LIMIT)
  if (corsOrigins.length > 0) {
    // Preflights are answered by no route of ours.
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-request-id', request.id)
      done()
    })
    app.register(cors, { origin: [...corsOrigins], methods: METHODS, exposedHeaders: EXPOSED, maxAge: 600 })
  }
  healthRoutes(app, health)
  return app
}

/** Which proxies Fastify believes: all, none, so many hops, or addresses. */
function trustProxyOf(text: string): NonNullable<FastifyServerOptions['trustProxy']> {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+$/.test(text) ? (_address, hop) => hop < Number(text) : text
}
