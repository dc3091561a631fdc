import { randomBytes } from 'node:crypto'
import type { Kernel } from 'agent-platform'
import { notFound, unauthenticated } from 'agent-platform'
import type { SignInAttempt, SignInMethod } from '../contract.ts'
import type { Session, SignIn } from './sign-in.ts'

export type SignInMethods = ReturnType<typeof createSignInMethods>

interface Deps extends Pick<Kernel, 'points' | 'platform' | 'log'> {
  signIn: SignIn
}
/** What the browser keeps while it is away. */
interface Kept extends SignInAttempt {
  readonly method: string
  /** Where in the console the person was. */
  readonly to: string
}

const SECRET = /^[\w-]{43}$/
const HERE = 'http://platform.invalid/console'

/** Signing in by what other packs contribute. What a browser has begun, it keeps itself, so that nothing is stored for anybody. */
export function createSignInMethods({ points, platform, log, signIn }: Deps) {
  const all = () => points.all('console.sign_in')
  function methodOf(key: string): SignInMethod {
    const found = all().find((one) => one.key === key)
    if (!found) throw notFound('Method to sign in')
    return found.value
  }

  return {
    /** Each with the address at which it begins. */
    list: () =>
      all().map(({ key = '', value: { label } }) => ({
        key,
        label,
        url: `${platform.baseUrl}/console/sign-in/${key}`
      })),

    /** Where the browser goes, and what it is to keep meanwhile. 404 for a method that is not there. */
    async begin(
      method: string,
      {
        to = '/',
        project,
        fresh = false
      }: { to?: string | undefined; project?: string | undefined; fresh?: boolean | undefined }
    ) {
      const secret = randomBytes(32).toString('base64url')
      const kept: Kept = { method, secret, project, isFresh: fresh, to: isPlace(to) ? to : '/' }
      const location = await methodOf(method).begin(kept)
      return { location, kept: Buffer.from(JSON.stringify(kept)).toString('base64url') }
    },

    /** The session of who came back, and where it goes on; 401 `sign_in_failed` for all else, also a second time. */
    async finish(
      key: string,
      returned: URLSearchParams,
      kept: string | undefined,
      userAgent: string | undefined
    ): Promise<Session & { readonly to: string }> {
      const method = methodOf(key)
      const attempt = attemptIn(kept)
      if (attempt?.method !== key) throw failed()
      const { principal, opened } = await method.finish(attempt, returned).catch((err) => {
        log.info({ err, method: key }, 'A browser was not signed in')
        throw failed()
      })
      const session = await signIn.open(principal)
      await opened(session.credential, new Date(Date.now() + session.seconds * 1_000), userAgent)
      return { ...session, to: attempt.to }
    },

    /** The person signed out: also where it signed in. */
    async end(credential: string): Promise<void> {
      for (const { value } of all()) await value.end(credential)
    }
  }
}

const failed = () => unauthenticated('Signing in did not end well: begin once more', 'sign_in_failed')

/** A place in the console, for browsers as well: neither another host nor another path of this one. */
const isPlace = (to: unknown): boolean =>
  typeof to === 'string' &&
  /^\/[\x21-\x7e]{0,500}$/.test(to) &&
  URL.parse(`${HERE}${to}`)?.href === `${HERE}${to}`

/** The browser may have changed it: only itself is signed in by that. */
function attemptIn(kept: string | undefined): Kept | undefined {
  try {
    const {
      method,
      secret,
      project,
      to,
      isFresh = false
    } = JSON.parse(Buffer.from(kept ?? '', 'base64url').toString())
    const isFine = typeof method === 'string' && SECRET.test(secret) && isPlace(to)
    if (isFine && (project === undefined || typeof project === 'string'))
      return { method, secret, project, to, isFresh: isFresh === true }
  } catch {
    // None, or not ours.
  }
}
