import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { applying } from '../database/transaction.ts'
import type { Attempt, Idempotency } from './idempotency.ts'

/**
 * `Idempotency-Key` of a route: the first request with a key runs, its repetitions get its reply. Costs a
 * request without the header one look.
 */
export function createRepeats(idempotency: Idempotency) {
  const attempts = new WeakMap<FastifyRequest, Attempt>()

  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string
  ): Promise<Attempt | undefined> {
    const { project, id, owner, attenuation } = request.principal
    const begun = await idempotency.begin({
      project,
      principal: JSON.stringify([id, owner, ...(attenuation ? [attenuation.id] : [])]),
      method: request.method,
      path: request.url,
      key,
      body: request.body
    })
    if ('run' in begun) return begun.run
    const { status, headers, body } = begun.replay
    reply.code(status).headers({ ...headers, 'idempotency-replayed': 'true' })
    reply.serializer((payload: unknown) => payload as string).send(body)
  }

  /** A stream has no reply to keep: it is over with its connection. */
  function abandonStream(request: FastifyRequest, reply: FastifyReply) {
    if (reply.sent) void attempts.get(request)?.abandon()
    attempts.delete(request)
  }

  return (route: RouteOptions): Partial<Pick<RouteOptions, 'preHandler' | 'onSend'>> => {
    const { by, body, secret, repeats } = route.config ?? {}
    if (by === 'public' || body === 'stream' || repeats === 'own') return {}
    return {
      preHandler(request, reply, done) {
        const key = request.headers['idempotency-key']
        if (key === undefined) return done()
        begin(request, reply, String(key)).then((attempt) => {
          if (!attempt) return
          attempts.set(request, attempt)
          reply.raw.once('close', () => abandonStream(request, reply))
          applying.run(attempt, done)
        }, done)
      },
      onSend(request, reply, payload, done) {
        const attempt = attempts.get(request)
        if (!attempt) return done(null, payload)
        attempts.delete(request)
        if (payload != null && typeof payload !== 'string') {
          void attempt.abandon()
          return done(null, payload)
        }
        const text = payload ?? ''
        attempt
          .finish({
            status: reply.statusCode,
            headers: reply.getHeaders() as Record<string, string>,
            body: secret ? without(text, [secret].flat()) : text
          })
          .then(() => done(null, payload), done)
      }
    }
  }
}

/** The stored reply, without the properties of `data` that were shown once. */
function without(body: string, secrets: readonly string[]): string {
  if (body === '') return body
  const { data, ...reply } = JSON.parse(body) as { data?: Record<string, unknown> }
  if (!data) return body
  const rest = Object.entries(data).filter(([name]) => !secrets.includes(name))
  return JSON.stringify({ ...reply, data: Object.fromEntries(rest) })
}
