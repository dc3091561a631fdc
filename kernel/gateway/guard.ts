import type { IncomingMessage } from 'node:http'
import type { FastifyRequest, HookHandlerDoneFunction, RouteOptions } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Failure } from '../errors.ts'
import { forbidden, invalid, rateLimited, unauthenticated } from '../errors.ts'
import type { Principal } from '../ownership.ts'
import type { Access } from './access.ts'
import { forRequest } from './agent-limit.ts'
import type { Grant } from './credentials.ts'
import { exchangeOf } from './exchange.ts'
import type { Bucket, Limits } from './limits.ts'
import { requiredScopes } from './scopes.ts'

/** How long a credential may be believed without asking; revoking it ends that at once. */
const BELIEVE_MS = 30_000
const MAX_ENTRIES = 10_000
const INITIATOR = /^[\x21-\x7e]{1,128}$/

interface Entry {
  readonly grant: Grant
  readonly until: number
  readonly bucket: Bucket
  /** Principals of a service that acts for others, by initiator. */
  initiators: LRUCache<string, Principal> | undefined
}

export interface GuardDependencies {
  resolve(token: string): Promise<Grant | undefined>
  touch(credential: string): void
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

/** Scopes of which one is needed. */
export interface Need {
  readonly any: readonly string[]
  readonly always: boolean
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
    bucket: limits.bucket('gateway', grant.principal.project),
    initiators: undefined
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
    entry.initiators ??= new LRUCache({ max: 1_000 })
    const known = entry.initiators.get(initiator)
    if (known) return known
    const acting = { ...principal, initiator, owner: initiator }
    entry.initiators.set(initiator, acting)
    return acting
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

  async function lease(
    gateway: Bucket | undefined,
    { project, owner }: Principal,
    sensitive: string | undefined
  ) {
    if (gateway) await takeFrom(gateway)
    if (sensitive) await takeFrom(limits.bucket('sensitive', `${project}/${owner}/${sensitive}`))
  }

  async function takeFrom(bucket: Bucket): Promise<void> {
    if (bucket.take()) return
    const seconds = await bucket.lease()
    if (seconds > 0) throw rateLimited(seconds)
  }

  const anonymous = (address: string) => limits.bucket('anonymous', address)

  /** A refused credential costs its address allowance, so that guessing is slow. */
  async function costly(error: unknown, address: string): Promise<Failure> {
    if ((error as Failure).kind !== 'unauthenticated') return error as Failure
    return takeFrom(anonymous(address)).then(
      () => error as Failure,
      (limited) => limited
    )
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
    if (by)
      return (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction) => {
        Promise.resolve(request)
          .then((request) => {
            deps.checkLocal?.(request)
            return by(request)
          })
          .then((principal) =>
            letIn(newEntry({ credential: principal.credential, principal }), request, need, sensitive)
          )
          .then(() => done())
          .catch((error) => costly(error, request.ip).then(done))
      }
    return (request: FastifyRequest, _reply: unknown, done: HookHandlerDoneFunction) => {
      try {
        deps.checkLocal?.(request)
        const { authorization } = request.headers
        const entry = local ?? (authorization === undefined ? undefined : believed(authorization))
        if (!entry) return void miss(request, authorization, need, sensitive, done)
        const waiting = letIn(entry, request, need, sensitive)
        if (waiting) waiting.then(() => done(), done)
        else done()
      } catch (error) {
        done(error as Error)
      }
    }
  }

  function miss(
    request: FastifyRequest,
    authorization: string | undefined,
    need: Need,
    sensitive: string | undefined,
    done: HookHandlerDoneFunction
  ) {
    look(authorization)
      .then((entry) => {
        deps.touch(entry.grant.credential)
        return letIn(entry, request, need, sensitive)
      })
      .then(() => done())
      .catch((error) => costly(error, request.ip).then(done))
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
        throw await costly(error, request.socket.remoteAddress ?? '')
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
