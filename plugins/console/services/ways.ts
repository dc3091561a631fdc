import { randomBytes } from 'node:crypto'
import type { Kernel } from 'agent-platform'
import { notFound, unauthenticated } from 'agent-platform'
import type { SignInAttempt, SignInWay } from '../contract.ts'
import type { Session, SignIn } from './sign-in.ts'

export type Ways = ReturnType<typeof createWays>

interface Deps extends Pick<Kernel, 'points' | 'platform' | 'log'> {
  signIn: SignIn
}
/** What the browser keeps while it is away. */
interface Kept extends SignInAttempt {
  readonly way: string
  /** Where in the console the person was. */
  readonly to: string
}

const SECRET = /^[\w-]{43}$/
const HERE = 'http://platform.invalid/console'

/** Signing in by what other packs contribute. What a browser has begun, it keeps itself, so that nothing is stored for anybody. */
export function createWays({ points, platform, log, signIn }: Deps) {
  const all = () => points.all('console.sign_in')
  function wayOf(key: string): SignInWay {
    const found = all().find((one) => one.key === key)
    if (!found) throw notFound('Way to sign in')
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

    /** Where the browser goes, and what it is to keep meanwhile. 404 for a way that is not there. */
    async begin(
      way: string,
      { to = '/', project }: { to?: string | undefined; project?: string | undefined }
    ) {
      const secret = randomBytes(32).toString('base64url')
      const kept: Kept = { way, secret, project, to: isPlace(to) ? to : '/' }
      const location = await wayOf(way).begin(kept)
      return { location, kept: Buffer.from(JSON.stringify(kept)).toString('base64url') }
    },

    /** The session of who came back, and where it goes on; 401 `sign_in_failed` for all else, also a second time. */
    async finish(
      key: string,
      returned: URLSearchParams,
      kept: string | undefined
    ): Promise<Session & { readonly to: string }> {
      const way = wayOf(key)
      const attempt = attemptIn(kept)
      if (attempt?.way !== key) throw failed()
      const { principal, opened } = await way.finish(attempt, returned).catch((err) => {
        log.info({ err, way: key }, 'A browser was not signed in')
        throw failed()
      })
      const session = await signIn.open(principal)
      await opened(session.credential, new Date(Date.now() + session.seconds * 1_000))
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
    const { way, secret, project, to } = JSON.parse(Buffer.from(kept ?? '', 'base64url').toString())
    const isFine = typeof way === 'string' && SECRET.test(secret) && isPlace(to)
    if (isFine && (project === undefined || typeof project === 'string')) return { way, secret, project, to }
  } catch {
    // None, or not ours.
  }
}
