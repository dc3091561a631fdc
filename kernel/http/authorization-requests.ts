import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid } from '../contract/errors.ts'
import { cookieIn } from './cookies.ts'

/** What a pack stores of an authorization request, so that only whoever made it can complete it. */
export interface AuthorizationRequest {
  readonly id: string
  /** Hash of the secret half of its `state`. */
  readonly hash: string
  /** Hash of the secret in the cookie of the browser that made it; null if a program made it. */
  readonly browserHash: string | null
  readonly expiresAt: string
}
/** Content of the cookie of the browser that made a request. */
export interface BrowserSecret {
  readonly id: string
  readonly secret: string
}
interface Requests<R extends AuthorizationRequest> {
  find(id: string): Promise<R | undefined>
  /** Deletes it; true for one caller. */
  take(row: R): Promise<boolean>
}

const VALID_SECONDS = 600
const ID = /^[a-z]{1,40}_[0-9a-z]{26}$/
const newSecret = () => randomBytes(32).toString('base64url')
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')
const isSame = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** 400 `state_invalid`: the `state` is unknown, used or expired. */
export const stateInvalid = () =>
  invalid('state', 'The authorization request is unknown, used or expired: connect again', 'state_invalid')

/**
 * A new authorization request: its `state` for the authorization server, the columns to store, and what the browser that
 * makes it keeps in its cookie. `isBrowser`: the request comes from a browser session, so only that browser can complete it.
 */
export function newAuthorizationRequest(id: string, isBrowser: boolean) {
  const [secret, browserSecret] = [newSecret(), newSecret()]
  const stored: AuthorizationRequest = {
    id,
    hash: hashOf(secret),
    browserHash: isBrowser ? hashOf(browserSecret) : null,
    expiresAt: new Date(Date.now() + VALID_SECONDS * 1_000).toISOString()
  }
  const browser: BrowserSecret | undefined = isBrowser ? { id, secret: browserSecret } : undefined
  return { state: `${id}.${secret}`, stored, browser }
}

/**
 * The request that a `state` stands for, once. 400 `state_invalid`, or `other_browser` if another browser than the one that
 * made it brings it back: a person who was sent the address would otherwise give access to whoever sent it. The request
 * stays valid for the right browser then.
 */
export async function takeAuthorizationRequest<R extends AuthorizationRequest>(
  { find, take }: Requests<R>,
  state: string,
  browserSecret: (id: string) => string | undefined
): Promise<R> {
  const [id = '', secret = ''] = state.split('.')
  const row = ID.test(id) ? await find(id) : undefined
  if (!row || !isSame(hashOf(secret), row.hash)) throw stateInvalid()
  if (row.browserHash !== null && !isSame(hashOf(browserSecret(id) ?? ''), row.browserHash))
    throw invalid('state', 'Another browser requested this: connect again in this one', 'other_browser')
  if (!(await take(row)) || Date.parse(row.expiresAt) < Date.now()) throw stateInvalid()
  return row
}

/** The cookie that binds authorization requests to the browser that makes them. */
export function authorizationCookie(baseUrl: string) {
  const isSecure = baseUrl.startsWith('https:')
  const nameOf = (id: string) => `${isSecure ? '__Host-' : ''}oauth-${id}`
  // Not `Strict`: the authorization server sends the browser back.
  const attributes = `Path=/; Max-Age=${VALID_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    /** Whether a browser session sends the request, and not a program with a credential. */
    isBrowser: ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
      headers.authorization === undefined && headers.cookie !== undefined,
    set(reply: Pick<FastifyReply, 'header'>, browser: BrowserSecret | undefined): void {
      if (browser) reply.header('set-cookie', `${nameOf(browser.id)}=${browser.secret}; ${attributes}`)
    },
    /** For `takeAuthorizationRequest`: the secret that the browser brings back with a request. */
    of:
      ({ headers }: Pick<FastifyRequest, 'headers'>) =>
      (id: string): string | undefined =>
        cookieIn(headers.cookie, nameOf(id))
  }
}
