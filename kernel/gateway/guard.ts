import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify'
import type { Failure } from '../errors.ts'
import { forbidden, invalid, rateLimited, unauthenticated } from '../errors.ts'
import type { Principal } from '../ownership.ts'
import type { Access } from './access.ts'
import { forRequest } from './agent-limit.ts'
import { exchangeOf } from './exchange.ts'
import type { Grant } from './grants.ts'
import type { Bucket, Limits } from './limits.ts'
import type { Need } from './scopes.ts'
import { requiredScopes } from './scopes.ts'

export type { Need }

/** How long a credential may be believed without asking; revoking it ends that at once. */
const BELIEVE_MS = 30_000
const MAX_ENTRIES = 10_000
const INITIATOR = /^[\x21-\x7e]{1,128}$/

interface Entry {
  readonly grant: Grant
  readonly until: number
  readonly bucket: Bucket
}

export interface GuardDependencies {
  resolve(token: string): Promise<Grant | undefined>
  limits: Limits
  /** False while revocations by other instances would not be heard. */
  believing(): boolean
  /** Set when authentication is switched off: everyone is this one. */
  localUser?: Principal
  /** 403 for requests that a browser sends from elsewhere, while authentication is switched off. */
  checkLocal?(request: Pick<IncomingMessage, 'headers'>): void
}

export interface Guard {
  /** The first hook of a route: lets in or refuses. */
  of(route: RouteOptions): (request: FastifyRequest, reply: unknown, done: HookHandlerDoneFunction) => void
  /** Who asks for an upgrade, which no route sees. Failures cost the address that connected. */
  admit(request: IncomingMessage, need: Need): Promise<Principal>
  /** Credentials that were revoked; all of them where nobody said which. */
  forget(credentials?: readonly string[]): void
}

/** Which scopes a route needs: what it says itself, else what its path says. */
export const needOf = (method: string, path: string, scope: Access['scope']): Need =>
  scope ? { any: scope, always: true } : requiredScopes(method, path)

/**
 * Credential, principal, scopes and limits of every request. A request whose credential is believed and whose
 * allowance is leased is let in synchronously, from memory; only a miss awaits.
 */
export function createGuard(deps: GuardDependencies): Guard {
  const { limits, believing, localUser } = deps
  /** The oldest first: none is believed for long, so that order of use would gain nothing. */
  const entries = new Map<string, Entry>()
  let revocations = 0

  const newEntry = (grant: Grant): Entry => ({
    grant,
    until: Math.min(Date.now() + BELIEVE_MS, grant.expiresAt ?? Number.POSITIVE_INFINITY),
    bucket: limits.bucket('gateway', grant.principal.project)
  })
  const local = localUser && newEntry({ credential: 'local', principal: localUser })

  function believed(authorization: string): Entry | undefined {
    const entry = entries.get(authorization)
    if (entry && entry.until > Date.now() && believing()) return entry
  }

  function believe(authorization: string, entry: Entry): void {
    entries.delete(authorization)
    entries.set(authorization, entry)
    if (entries.size > MAX_ENTRIES) entries.delete(entries.keys().next().value as string)
  }

  async function look(authorization: string | undefined): Promise<Entry> {
    const token = authorization && /^Bearer +([\x21-\x7e]{1,8192})$/i.exec(authorization)?.[1]
    if (!authorization || !token) throw unauthenticated('A bearer credential is required')
    const before = revocations
    const grant = await deps.resolve(token)
    if (!grant) throw unauthenticated('The credential is not valid')
    const entry = newEntry(grant)
    if (before === revocations) believe(authorization, entry)
    return entry
  }

  function principalOf(entry: Entry, initiator: unknown): Principal {
    const { principal } = entry.grant
    if (initiator === undefined) return principal
    if (principal.type !== 'service')
      throw forbidden('Only a service may act for others', { code: 'initiator_refused' })
    if (typeof initiator !== 'string' || !INITIATOR.test(initiator))
      throw invalid('x-initiator', 'x-initiator must be 1 to 128 visible ASCII characters')
    if (principal.initiator !== undefined && principal.initiator !== initiator)
      throw forbidden('The credential acts for somebody else', { code: 'initiator_refused' })
    return { ...principal, initiator, owner: initiator }
  }

  function checkScope({ scopes, narrowed }: Principal, need: Need): void {
    if (need.any.length === 0 || (!need.always && !narrowed)) return
    for (const scope of need.any) if (scopes.has(scope)) return
    throw forbidden(`The credential lacks the scope ${need.any.join(' or ')}`, { code: 'scope_missing' })
  }

  /** Throws, or returns what still has to be awaited: a new lease. */
  function letIn(entry: Entry, request: FastifyRequest, need: Need, sensitive: string | undefined) {
    const principal = principalOf(entry, request.headers['x-initiator'])
    checkScope(principal, need)
    const exchange = exchangeOf(request.raw)
    exchange.credential = entry.grant.credential
    exchange.principal = principal.id
    request.principal = forRequest(principal)
    const taken = entry.bucket.take()
    if (taken && !sensitive) return
    return lease(taken ? undefined : entry.bucket, principal, sensitive)
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

  /** A refused credential costs its address allowance, so that guessing is slow. */
  async function costly(error: Failure, address: string): Promise<Failure> {
    if (error.kind === 'unauthenticated') await takeFrom(anonymous(address))
    return error
  }

  function of(route: RouteOptions) {
    const { by, scope, limit } = route.config ?? {}
    const methods = [route.method].flat()
    const need = needOf(methods.includes('GET') ? 'GET' : (methods[0] as string), route.url, scope)
    const sensitive = limit === 'sensitive' ? `${methods[0]} ${route.url}` : undefined

    if (by === 'public')
      return (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction) => {
        deps.checkLocal?.(request)
        const bucket = anonymous(request.ip)
        if (bucket.take()) done()
        else takeFrom(bucket).then(() => done(), done)
      }
    /** Lets in once it is known who asks. */
    const later = (request: FastifyRequest, entry: Promise<Entry>, done: HookHandlerDoneFunction) => {
      entry
        .then((entry) => letIn(entry, request, need, sensitive))
        .then(
          () => done(),
          (error) => costly(error, request.ip).then(done, done)
        )
    }
    if (by)
      return (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction) => {
        const asked = async () => {
          deps.checkLocal?.(request)
          const principal = await by(request)
          return newEntry({ credential: principal.credential, principal })
        }
        later(request, asked(), done)
      }
    return (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction) => {
      try {
        deps.checkLocal?.(request)
        const { authorization } = request.headers
        const entry = local ?? (authorization === undefined ? undefined : believed(authorization))
        if (!entry) return later(request, look(authorization), done)
        const waiting = letIn(entry, request, need, sensitive)
        if (waiting) waiting.then(() => done(), done)
        else done()
      } catch (error) {
        done(error as Error)
      }
    }
  }

  return {
    of,
    async admit(request, need) {
      deps.checkLocal?.(request)
      const { authorization, 'x-initiator': initiator } = request.headers
      const known = local ?? (authorization === undefined ? undefined : believed(authorization))
      try {
        const entry = known ?? (await look(authorization))
        const principal = principalOf(entry, initiator)
        checkScope(principal, need)
        await takeFrom(entry.bucket)
        return principal
      } catch (error) {
        throw await costly(error as Failure, request.socket.remoteAddress ?? '')
      }
    },
    forget(credentials) {
      revocations++
      if (!credentials) return entries.clear()
      const gone = new Set(credentials)
      for (const [authorization, { grant }] of entries.entries())
        if (gone.has(grant.credential)) entries.delete(authorization)
    }
  }
}
