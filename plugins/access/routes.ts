import type { App, Kernel, Principal } from 'agent-platform'
import type { Identity } from './schemas.ts'
import { createApiKey, identify, listApiKeys, listPublicKeys, revokeApiKey } from './schemas.ts'
import type { KeyService } from './service.ts'

interface Deps extends Pick<Kernel, 'credentials' | 'envelope'> {
  keyService: KeyService
}

/** In seconds: a key signs as soon as it is published, so that a cache must look again soon. */
const KEYS_FRESH = 60

export function accessRoutes(app: App, { credentials, envelope, keyService }: Deps) {
  app.get(
    '/auth/me',
    { schema: identify, config: { scope: [], tokens: 'agents' } },
    async ({ principal }) => ({
      data: identityOf(principal)
    })
  )

  app.post(
    '/auth/api-keys',
    { schema: createApiKey, config: { limit: 'sensitive', secret: 'key' } },
    async ({ principal, body }, reply) => {
      const key = await keyService.create(principal, body)
      return reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ data: key as never })
    }
  )

  app.get('/auth/api-keys', { schema: listApiKeys }, async ({ principal, query }) => {
    const { data, nextCursor } = await credentials.list(principal, query)
    return { data: data.map(shown), nextCursor }
  })

  app.delete(
    '/auth/api-keys/:id',
    { schema: revokeApiKey, config: { limit: 'sensitive' } },
    async ({ principal, params: { id } }) => {
      await keyService.revoke(principal, id)
      return { data: { id, deleted: true as const } }
    }
  )

  app.get(
    '/.well-known/jwks.json',
    { schema: listPublicKeys, config: { root: true, by: 'public' } },
    async (_request, reply) => {
      reply.header('cache-control', `public, max-age=${KEYS_FRESH}`)
      return envelope.keys()
    }
  )
}

const identityOf = ({
  id,
  type,
  project,
  owner,
  initiator,
  scopes,
  narrowed,
  attenuation
}: Principal): Identity => ({
  principalId: id,
  principalType: type,
  project,
  owner,
  initiator: initiator ?? null,
  scopes: [...scopes],
  narrowed,
  token: attenuation ? tokenOf(attenuation) : null
})

const tokenOf = ({ endsAt, agents, tools, hosts, spend = [] }: NonNullable<Principal['attenuation']>) => ({
  expiresAt: endsAt === undefined ? null : new Date(endsAt).toISOString(),
  agents: agents ? [...agents] : null,
  tools: tools ? tools.map((list) => [...list]) : null,
  hosts: hosts ? hosts.map((list) => [...list]) : null,
  spend: spend.map(({ limit }) => limit)
})

/** As the schema has it: with an array of its own. */
const shown = <K extends { readonly scopes: readonly string[] }>(key: K) => ({
  ...key,
  scopes: [...key.scopes]
})
