import { randomBytes } from 'node:crypto'
import type { App, Kernel } from 'agent-platform'
import type { Interactions } from '../interactions.ts'
import { messagePage } from '../pages/pages.ts'
import * as schemas from '../schemas/pages.ts'
import type { IdentityProvider } from '../services/provider.ts'
import { attemptCookie } from './attempt-cookie.ts'
import { answer } from './interactions.ts'

interface Deps extends Pick<Kernel, 'platform'> {
  interactions: Interactions
  identityProvider: IdentityProvider
}
const config = { root: true, by: 'public' } as const
const WHY = {
  account_unproved:
    'Sign in to it with its password or a passkey: from then on you also sign in this way. If it is not yours, tell an operator.',
  account_other:
    'Another account of that provider signs in to it. Sign in with that one or another way. If it is not yours, tell an operator.'
} as const

/** A browser leaves for a provider elsewhere and comes back. */
export function upstreamRoutes(app: App, { platform, interactions, identityProvider }: Deps) {
  const cookie = attemptCookie(platform.baseUrl)

  app.get(
    '/identity/interaction/:uid/upstream/:key',
    { schema: schemas.beginUpstream, config },
    async ({ raw, params }, reply) => {
      const { uid, key } = params
      const secret = randomBytes(32).toString('base64url')
      const step = await interactions.beginUpstream({ raw, reply }, key, secret)
      if ('location' in step) reply.header('set-cookie', cookie.of({ key, uid, secret }))
      return answer(reply, step)
    }
  )

  // Its address is the same for all interactions, each of which has its cookie below its own.
  app.get(
    '/identity/upstream/:key/callback',
    { schema: schemas.returnUpstream, config },
    async ({ raw, params, headers }, reply) => {
      const kept = cookie.read(headers.cookie)
      if (kept?.key !== params.key)
        return answer(reply, {
          ...messagePage('That took too long', 'Begin once more where you came from.'),
          status: 400
        })
      const { search } = new URL(raw.url ?? '', platform.baseUrl)
      const location = `${identityProvider.path}/interaction/${kept.uid}/upstream/${params.key}/return${search}`
      return answer(reply.header('referrer-policy', 'no-referrer'), { location })
    }
  )

  app.get(
    '/identity/interaction/:uid/upstream/:key/return',
    { schema: schemas.finishUpstream, config },
    async ({ raw, params, headers, ip }, reply) => {
      const { key, uid } = params
      const kept = cookie.read(headers.cookie)
      const returned = new URL(raw.url ?? '', platform.baseUrl).searchParams
      const secret = kept?.key === key && kept.uid === uid ? kept.secret : undefined
      try {
        const step = await interactions.finishUpstream({ raw, reply }, ip, { key, secret, returned })
        return answer(reply.header('set-cookie', cookie.none), step)
      } catch (error) {
        const { code } = error as { code?: string }
        if (code !== 'account_unproved' && code !== 'account_other') throw error
        // Who signs in to it now links the two: the browser keeps the secret of the attempt for that.
        if (code === 'account_other') reply.header('set-cookie', cookie.none)
        const way = { href: `${identityProvider.path}/interaction/${uid}`, label: 'Sign in another way' }
        const page = messagePage('There is an account with this address', WHY[code], way)
        return answer(reply, { ...page, status: 409 })
      }
    }
  )
}
