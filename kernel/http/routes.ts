import type {
  FastifyInstance,
  preHandlerHookHandler,
  preSerializationHookHandler,
  RouteOptions
} from 'fastify'
import type { Need } from '../identity/scopes.ts'
import { needOf } from '../identity/scopes.ts'
import type { Access } from './access.ts'
import { exchangeOf } from './exchange.ts'
import type { Guard } from './guard.ts'
import { EmptyBody, EmptyQuery } from './validation.ts'

/** What is known of a mounted route, for the description of the API and for metrics. */
export interface MountedRoute {
  readonly method: string
  readonly path: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly access: Access
  /** Scopes of which one is needed: of every credential (`always`), or only of narrowed ones. */
  readonly need: Need
}

interface Hooks {
  readonly guard: Guard
  readonly repeat: (route: RouteOptions) => Partial<Pick<RouteOptions, 'preHandler' | 'onSend'>>
}

/**
 * Makes every route that is then added to `app` one of the platform's: below /v1, guarded, closed to unknown
 * names, repeatable by `Idempotency-Key`.
 */
export function govern(
  app: FastifyInstance,
  pack: string,
  { guard, repeat }: Hooks,
  mounted: MountedRoute[]
): void {
  app.addHook('onRoute', (route) => {
    const access: Access = route.config ?? {}
    if (!access.root) route.url = route.path = `/v1${route.url}`
    const methods = [route.method].flat()
    route.schema = { querystring: EmptyQuery, ...route.schema }
    if (!access.body && !methods.some((method) => method === 'GET' || method === 'HEAD'))
      route.schema.body ??= EmptyBody
    const bodyLimit = access.bodyLimit
    if (bodyLimit) route.bodyLimit = bodyLimit
    for (const method of methods)
      mounted.push({
        method,
        path: route.url,
        schema: route.schema as never,
        access,
        need: needOf(method, route.url, access.scope)
      })
    const letIn = guard.of(route)
    route.onRequest = [
      (request, reply, done) => {
        const exchange = exchangeOf(request.raw)
        exchange.route = route.url
        exchange.pack = pack
        // Here and not on the raw response: Node writes headers that were set one by one far more slowly.
        reply.header('x-request-id', exchange.id)
        letIn(request, reply, done)
      },
      ...hooksOf(route.onRequest)
    ]
    if (methods.includes('POST')) {
      const { preHandler, onSend } = repeat(route)
      if (preHandler)
        route.preHandler = [...hooksOf(route.preHandler), ...hooksOf(preHandler)] as preHandlerHookHandler[]
      if (onSend) route.onSend = [...hooksOf(route.onSend), ...hooksOf(onSend)] as never
    }
    if (hasVersion(route.schema.response))
      route.preSerialization = [
        ...hooksOf(route.preSerialization),
        tagVersion
      ] as preSerializationHookHandler[]
  })
}

const hooksOf = <T>(hooks: T | T[] | undefined): T[] => (hooks === undefined ? [] : ([hooks].flat() as T[]))

type Described = { type?: unknown; properties?: Record<string, Described> }
const hasVersion = (response: unknown): boolean =>
  Object.values((response ?? {}) as Record<string, Described>).some(
    ({ properties }) => properties?.data?.properties?.version?.type === 'integer'
  )

/** Edited resources carry their version as an entity tag, for `If-Match`. */
const tagVersion: preSerializationHookHandler = (_request, reply, payload, done) => {
  const version = (payload as { data?: { version?: number } } | null)?.data?.version
  if (version !== undefined) reply.header('etag', `"${version}"`)
  done(null, payload)
}
