import { randomBytes } from 'node:crypto'
import type { App, Kernel } from 'agent-platform'
import type { Interactions } from '../interactions.ts'
import { messagePage } from '../pages/pages.ts'
import * as schemas from '../schemas/pages.ts'
import type { IdentityProvider } from '../services/provider.ts'
import { answer } from './interactions.ts'

interface Deps extends Pick<Kernel, 'platform'> {
  interactions: Interactions
  identityProvider: IdentityProvider
}
const config = { root: true, by: 'public' } as const
const SECONDS = 600
/** What the browser keeps while it is away: which provider it left for, from which interaction, and the secret of the attempt. */
const KEPT = /^([a-z0-9-]{1,40})\.([\w-]{10,64})\.([\w-]{43})$/

/** A browser leaves for a provider elsewhere and comes back. */
export function upstreamRoutes(app: App, { platform, interactions, identityProvider }: Deps) {
  const isSecure = platform.baseUrl.startsWith('https:')
  const name = `${isSecure ? '__Host-' : ''}identity-upstream`
  // Not `Strict`: the provider sends the browser back.
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const cookie = (value: string, seconds: number) => `${name}=${value}; Max-Age=${seconds}; ${attributes}`

  /** None where it stands there twice, or is of another provider. */
  function keptIn(cookies: string | undefined, provider: string) {
    const found = (cookies ?? '').split(';').flatMap((pair) => {
      const [of, value = ''] = pair.trim().split('=')
      return of === name ? value : []
    })
    const [, key, uid, secret] = (found.length === 1 && KEPT.exec(found[0] as string)) || []
    return key === provider ? { uid, secret } : {}
  }

  app.get(
    '/identity/interaction/:uid/upstream/:key',
    { schema: schemas.beginUpstream, config },
    async ({ raw, params }, reply) => {
      const { uid, key } = params
      const secret = randomBytes(32).toString('base64url')
      const step = await interactions.beginUpstream({ raw, reply }, key, secret)
      if ('location' in step) reply.header('set-cookie', cookie(`${key}.${uid}.${secret}`, SECONDS))
      return answer(reply, step)
    }
  )

  // Its address is the same for all interactions, each of which has its cookie below its own.
  app.get(
    '/identity/upstream/:key/callback',
    { schema: schemas.returnUpstream, config },
    async ({ raw, params, headers }, reply) => {
      const { uid } = keptIn(headers.cookie, params.key)
      if (uid === undefined)
        return answer(reply, {
          ...messagePage('That took too long', 'Begin once more where you came from.'),
          status: 400
        })
      const { search } = new URL(raw.url ?? '', platform.baseUrl)
      const location = `${identityProvider.path}/interaction/${uid}/upstream/${params.key}/return${search}`
      return answer(reply.header('referrer-policy', 'no-referrer'), { location })
    }
  )

  app.get(
    '/identity/interaction/:uid/upstream/:key/return',
    { schema: schemas.finishUpstream, config },
    async ({ raw, params, headers, ip }, reply) => {
      const { key } = params
      const kept = keptIn(headers.cookie, key)
      const returned = new URL(raw.url ?? '', platform.baseUrl).searchParams
      const secret = kept.uid === params.uid ? kept.secret : undefined
      const step = await interactions.finishUpstream({ raw, reply }, ip, { key, secret, returned })
      return answer(reply.header('set-cookie', cookie('', 0)), step)
    }
  )
}
