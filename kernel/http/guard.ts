import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify'
import type { Failure } from '../contract/errors.ts'
import { rateLimited } from '../contract/errors.ts'
import type { Principal } from '../identity/ownership.ts'
import type { Excluded } from '../identity/projects.ts'
import { forRequest } from '../limits/agent-limit.ts'
import type { Bucket } from '../limits/limits.ts'
import type { Asked, SocketAccess } from './access.ts'
import type { Entry, Options } from './authentication.ts'
import { createAuthentication } from './authentication.ts'
import type { Wanted } from './authorization.ts'
import { authorize, wantedOf } from './authorization.ts'
import { exchangeOf } from './exchange.ts'
import type { createSessionCookie } from './session-cookie.ts'

interface GuardOptions extends Options {
  readonly sessionCookie: Pick<ReturnType<typeof createSessionCookie>, 'bearerOf'>
  /** 403 for requests that a browser sends from elsewhere, while authentication is switched off. */
  checkLocal?(request: Pick<IncomingMessage, 'headers'>): void
}

/** The first hook of a route: lets in or refuses. */
type Hook = (request: FastifyRequest, reply: unknown, done: HookHandlerDoneFunction) => void

export interface Guard {
  of(route: RouteOptions): Hook
  /** Who asks for an upgrade, which no route sees, and when its session or token ends. Failures cost the address that connected. */
  admit(
    request: IncomingMessage,
    asked: Asked,
    wanted: Wanted & Pick<SocketAccess, 'by'>
  ): Promise<{ principal: Principal; endsAt: number | undefined }>
  /** Credentials that were revoked; all of them where it is not known which. */
  forget(credentials?: readonly string[]): void
  /** A user that may do nothing in its project any more. */
  forgetUser(who: Excluded): void
}

/**
 * Credential, principal, scopes and limits of every request. A request whose credential is believed and whose
 * allowance is leased is let in synchronously, from memory; only a miss awaits.
 */
export function createGuard({ checkLocal, sessionCookie, ...options }: GuardOptions): Guard {
  const { limits } = options
  const { local, believed, look, identify, forget, forgetUser } = createAuthentication(options)

  /** Throws, or returns what still has to be awaited: a new lease. */
  function letIn({ grant, bucket }: Entry, request: FastifyRequest, wanted: Wanted, initiator: unknown) {
    const exchange = exchangeOf(request.raw)
    exchange.by = grant.principal
    const principal = authorize(grant.principal, initiator, wanted)
    exchange.credential = grant.credential
    exchange.principal = principal.id
    exchange.by = principal
    if (principal.attenuation) exchange.endsAt = grant.expiresAt
    request.principal = forRequest(principal)
    const taken = bucket.take()
    if (taken && !wanted.sensitive) return
    return lease(taken ? undefined : bucket, principal, wanted.sensitive)
  }

  async function lease(gateway: Bucket | undefined, { project, owner }: Principal, sensitive?: string) {
    if (gateway) await takeFrom(gateway)
    if (sensitive) await takeFrom(limits.bucket('sensitive', `${project}/${owner}/${sensitive}`))
  }

  async function takeFrom(bucket: Bucket): Promise<void> {
    if (bucket.take()) return
    const seconds = await bucket.lease()
    if (seconds > 0) throw rateLimited(seconds)
  }

  // Where a proxy is believed, its header may hold anything.
  const anonymous = (address: string) => limits.bucket('anonymous', isIP(address) ? address : 'unknown')

  /** A refused credential, also one in the path, costs its address allowance, so that guessing is slow. */
  async function costly(error: Failure, address: string): Promise<Failure> {
    if (error.kind === 'unauthenticated' || error.kind === 'notFound') await takeFrom(anonymous(address))
    return error
  }

  /** Lets in callers that need no credential. */
  const anybody: Hook = (request, _reply, done) => {
    checkLocal?.(request)
    const bucket = anonymous(request.ip)
    if (bucket.take()) done()
    else takeFrom(bucket).then(() => done(), done)
  }

  const uncounted: Hook = (request, _reply, done) => {
    checkLocal?.(request)
    done()
  }

  function of(route: RouteOptions): Hook {
    const { by, limit } = route.config ?? {}
    const methods = [route.method].flat()
    const method = methods.includes('GET') ? 'GET' : (methods[0] as string)
    const wanted = wantedOf(method, route.url, route.config ?? {})

    if (by === 'public') return limit === 'none' ? uncounted : anybody
    /** Lets in once it is known who asks. */
    const later = (
      request: FastifyRequest,
      entry: Promise<Entry>,
      done: HookHandlerDoneFunction,
      initiator?: unknown
    ) => {
      entry
        .then((entry) => letIn(entry, request, wanted, initiator))
        .then(
          () => done(),
          (error) => costly(error, request.ip).then(done, done)
        )
    }
    if (typeof by === 'function')
      return (request, _reply, done) => {
        const asked = async () => {
          checkLocal?.(request)
          return identify(by, request)
        }
        // What stands for a credential in a path is no service's, which alone may name an initiator.
        later(request, asked(), done)
      }
    /** By the session of a browser. What that sends by itself refuses nothing where nothing is needed. */
    const bySession: Hook = (request, reply, done) => {
      const isOptional = by === 'optional'
      const enter = (entry: Entry) => {
        exchangeOf(request.raw).endsAt = entry.grant.expiresAt
        return letIn(entry, request, wanted, request.headers['x-initiator'])
      }
      const bearer = sessionCookie.bearerOf(request.raw, { isOptional })
      if (isOptional && bearer === undefined) return anybody(request, reply, done)
      const entry = believed(bearer)
      const entered = entry ? Promise.resolve(entry) : look(bearer)
      entered.then(enter).then(
        () => done(),
        (error) => {
          if (isOptional && error.kind === 'unauthenticated') anybody(request, reply, done)
          else costly(error, request.ip).then(done, done)
        }
      )
    }
    return (request, reply, done) => {
      try {
        checkLocal?.(request)
        const { authorization, 'x-initiator': initiator } = request.headers
        if (authorization === undefined && !local) return bySession(request, reply, done)
        const entry = believed(authorization)
        if (!entry) return later(request, look(authorization), done, initiator)
        const waiting = letIn(entry, request, wanted, initiator)
        if (waiting) waiting.then(() => done(), done)
        else done()
      } catch (error) {
        done(error as Error)
      }
    }
  }

  return {
    of,
    async admit(request, asked, { by, ...wanted }) {
      checkLocal?.(request)
      const { authorization, 'x-initiator': initiator } = request.headers
      const isSession = authorization === undefined && !local && !by
      try {
        const bearer = isSession ? sessionCookie.bearerOf(request, { isUpgrade: true }) : authorization
        const { grant, bucket } = by ? await identify(by, asked) : (believed(bearer) ?? (await look(bearer)))
        const principal = authorize(grant.principal, by ? undefined : initiator, wanted)
        await lease(bucket, principal, wanted.sensitive)
        const isEnding = isSession || principal.attenuation !== undefined
        return { principal, endsAt: isEnding ? grant.expiresAt : undefined }
      } catch (error) {
        throw await costly(error as Failure, request.socket.remoteAddress ?? '')
      }
    },
    forget,
    forgetUser
  }
}
