import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import { forbidden } from '../contract/errors.ts'
import { cookieIn } from './cookies.ts'

/** What is looked at of a request. */
type Sent = Pick<IncomingMessage, 'headers' | 'method'>

/**
 * The cookie of a browser's session. Its value is a minted credential, which stands for the `Authorization` that a request
 * has not, where a page of the platform itself, or its user by going to an address, sends it.
 */
export interface SessionCookie {
  /** Gives the browser the credential, for so many seconds. */
  set(reply: FastifyReply, token: string, seconds: number): void
  /** Takes it away from the browser; the credential is to be revoked besides. */
  clear(reply: FastifyReply): void
  /**
   * 403 `cross_origin` for what a page of another origin sends: for routes that sign in. Programs, which name no origin, may
   * send anything.
   */
  checkOrigin(request: Sent): void
}

const MINTED = /^apt_[0-9A-Za-z]{38,70}$/
const refused = () =>
  forbidden('The session of a browser is for pages of the platform itself', { code: 'cross_origin' })

/** The cookie, and how the guard reads it. `baseUrl` decides about its name: over HTTPS no other host can set that. */
export function createSessionCookie(baseUrl: string) {
  const own = new URL(baseUrl)
  const isSecure = own.protocol === 'https:'
  const name = isSecure ? '__Host-agent-platform' : 'agent-platform'
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

  /** Where a proxy asks by another host, the origin of `BASE_URL` is the one that its pages have. */
  function isOwn(origin: string, asked: string | undefined): boolean {
    if (origin === own.origin) return true
    const { host, protocol } = URL.parse(origin) ?? {}
    return host !== undefined && host === asked?.toLowerCase() && (!isSecure || protocol === 'https:')
  }

  /** Browsers that leave `Sec-Fetch-Site` out, as over plain HTTP, name the origin of what is no plain reading. */
  function isSameOrigin({ headers, method }: Sent, isUpgrade: boolean): boolean {
    const { 'sec-fetch-site': site, origin, host } = headers
    const isReading = !isUpgrade && (method === 'GET' || method === 'HEAD')
    if (site !== undefined && site !== 'same-origin' && !(site === 'none' && isReading)) return false
    if (site !== undefined && !isUpgrade) return true
    return origin === undefined ? isReading : isOwn(origin, host)
  }

  function tokenIn(cookies: string): string | undefined {
    const value = cookieIn(cookies, name)
    return value !== undefined && MINTED.test(value) ? value : undefined
  }

  return {
    set(reply, token, seconds) {
      reply.header('set-cookie', `${name}=${token}; Max-Age=${Math.floor(seconds)}; ${attributes}`)
    },
    clear(reply) {
      reply.header('set-cookie', `${name}=; Max-Age=0; ${attributes}`)
    },
    checkOrigin(request) {
      const { 'sec-fetch-site': site, origin } = request.headers
      if ((site !== undefined || origin !== undefined) && !isSameOrigin(request, false)) throw refused()
    },
    /**
     * What the cookie stands for; undefined without one. 403 `cross_origin` for what another origin sends, which where a
     * credential is optional goes without.
     */
    bearerOf(request: Sent, { isUpgrade = false, isOptional = false } = {}): string | undefined {
      const token = request.headers.cookie && tokenIn(request.headers.cookie)
      if (!token) return undefined
      if (isSameOrigin(request, isUpgrade)) return `Bearer ${token}`
      if (isOptional) return undefined
      throw refused()
    }
  } satisfies SessionCookie & { bearerOf: unknown }
}
