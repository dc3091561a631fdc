import type { App, Kernel } from 'agent-platform'
import { cookieIn } from 'agent-platform'
import { beginSignIn, finishSignIn } from '../schemas.ts'
import { isLocal } from '../services/links.ts'
import type { SignIn } from '../services/sign-in.ts'
import type { SignInMethods } from '../services/sign-in-methods.ts'

interface Deps extends Pick<Kernel, 'platform' | 'sessionCookie'> {
  signInMethods: SignInMethods
  signIn: SignIn
}
const SECONDS = 600
const root = true

/** A browser leaves to sign in elsewhere, and comes back. */
export function signInRoutes(app: App, { platform, sessionCookie, signInMethods, signIn }: Deps) {
  const isSecure = platform.baseUrl.startsWith('https:')
  const name = `${isSecure ? '__Host-' : ''}console-sign-in`
  // Not `Strict`: who comes back from another host has to bring it along.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const cookie = (value: string, seconds: number) => `${name}=${value}; Max-Age=${seconds}; ${attributes}`

  app.get(
    '/console/sign-in/:method',
    { schema: beginSignIn, config: { root, by: 'public' } },
    async ({ raw, params, query }, reply) => {
      // No other site sends a browser to sign in.
      sessionCookie.checkOrigin(raw)
      const { location, kept } = await signInMethods.begin(params.method, query)
      return reply
        .code(303)
        .headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .header('set-cookie', cookie(kept, SECONDS))
        .send(null)
    }
  )

  app.get(
    '/console/sign-in/:method/callback',
    { schema: finishSignIn, config: { root, by: 'optional', scope: [] as string[] } },
    async (request, reply) => {
      const { raw, params, principal, headers } = request
      reply.code(303).headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      reply.header('set-cookie', cookie('', 0))
      try {
        const returned = new URL(raw.url ?? '', platform.baseUrl).searchParams
        const kept = cookieIn(headers.cookie, name)
        const userAgent = headers['user-agent']
        const session = await signInMethods.finish(params.method, returned, kept, userAgent)
        // Its cookie is replaced.
        if (principal && headers.authorization === undefined && !isLocal(principal))
          await signIn.close(principal)
        sessionCookie.set(reply, session.token, session.seconds)
        reply.header('location', `${platform.baseUrl}/console${session.to}`)
      } catch (error) {
        if ((error as { code?: string }).code !== 'sign_in_failed') throw error
        reply.header('location', `${platform.baseUrl}/console/sign-in#failed`)
      }
      return reply.send(null)
    }
  )
}
