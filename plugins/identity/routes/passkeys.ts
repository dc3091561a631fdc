import type { App } from 'agent-platform'
import * as schemas from '../schemas/passkeys.ts'
import type { Passkeys } from '../services/passkeys.ts'

const principals = ['user'] as const
const config = { principals }
const sensitive = { principals, limit: 'sensitive' } as const

/** Passkeys of the person that signed in to the console. */
export function passkeyRoutes(app: App, { passkeys }: { passkeys: Passkeys }) {
  app.post(
    '/passkeys/challenges',
    { schema: schemas.beginPasskey, config: sensitive },
    async ({ principal }, reply) =>
      reply
        .code(201)
        .header('cache-control', 'no-store')
        .send({ data: { publicKey: await passkeys.begin(principal) } })
  )
  app.post(
    '/passkeys',
    { schema: schemas.addPasskey, config: { ...sensitive, bodyLimit: 65_536 } },
    async ({ principal, body }, reply) =>
      reply.code(201).send({ data: (await passkeys.add(principal, body.name, body.response)) as never })
  )
  app.get('/passkeys', { schema: schemas.listPasskeys, config }, async ({ principal, query }) => {
    return (await passkeys.list(principal, query)) as never
  })
  app.put(
    '/passkeys/:passkeyId',
    { schema: schemas.renamePasskey, config },
    async ({ principal, params, body }) => ({
      data: (await passkeys.rename(principal, params.passkeyId, body.name)) as never
    })
  )
  app.delete(
    '/passkeys/:passkeyId',
    { schema: schemas.removePasskey, config },
    async ({ principal, params }) => ({ data: await passkeys.remove(principal, params.passkeyId) })
  )
}
