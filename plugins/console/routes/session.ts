import type { App, Kernel, Principal } from 'agent-platform'
import { unauthenticated } from 'agent-platform'
import type { PackFeed } from '../pack-feed.ts'
import type { ConsoleSession } from '../schemas.ts'
import { createLink, createSession, deleteSession, readSession } from '../schemas.ts'
import type { Links } from '../services/links.ts'
import { isLocal } from '../services/links.ts'
import type { SignIn } from '../services/sign-in.ts'
import type { SignInMethods } from '../services/sign-in-methods.ts'

interface Deps extends Pick<Kernel, 'platform' | 'sessionCookie'> {
  packFeed: PackFeed
  links: Links
  signIn: SignIn
  signInMethods: SignInMethods
}

/** Agents work through the API. */
const principals = ['user', 'service'] as const
/** Also for a credential that was narrowed, which gets no more by that. */
const scope: string[] = []
const root = true

export function sessionRoutes(
  app: App,
  { platform, sessionCookie, packFeed, links, signIn, signInMethods }: Deps
) {
  function shown(by: Principal | undefined): { data: ConsoleSession } {
    const { version, production } = platform
    const principal = by && { id: by.id, type: by.type, project: by.project, scopes: [...by.scopes] }
    return {
      data: {
        principal: principal ?? null,
        packs: by ? packFeed.list() : [],
        signInMethods: signInMethods.list(),
        version,
        production
      }
    }
  }
  const optional = { root, by: 'optional', scope } as const

  app.get('/console/session', { schema: readSession, config: optional }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    return shown(request.principal)
  })

  app.post(
    '/console/session',
    { schema: createSession, config: { ...optional, principals, repeats: 'own' } },
    async (request, reply) => {
      sessionCookie.checkOrigin(request.raw)
      const { principal, body, headers } = request
      reply.code(201).header('cache-control', 'no-store')
      if (principal && isLocal(principal)) return shown(principal)
      const isSignedIn = principal && headers.authorization === undefined
      if (body.code === undefined && (!principal || isSignedIn))
        throw unauthenticated('The code of a link or a bearer credential is required')
      const session = await (body.code === undefined ? signIn.open(principal) : signIn.openByCode(body.code))
      // Its cookie is replaced.
      if (isSignedIn) await signIn.close(principal)
      sessionCookie.set(reply, session.token, session.seconds)
      return shown(session.principal)
    }
  )

  app.delete('/console/session', { schema: deleteSession, config: optional }, async (request, reply) => {
    sessionCookie.checkOrigin(request.raw)
    const { principal, headers } = request
    reply.header('cache-control', 'no-store')
    if (principal && headers.authorization === undefined && !isLocal(principal)) {
      await signIn.close(principal)
      await signInMethods.end(principal.credential)
    }
    sessionCookie.clear(reply)
    return shown(undefined)
  })

  app.post(
    '/console/links',
    { schema: createLink, config: { root, principals, limit: 'sensitive', secret: 'url' } },
    async ({ principal }, reply) => reply.code(201).send({ data: await links.create(principal) })
  )
}
