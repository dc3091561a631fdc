import type { App } from 'agent-platform'
import * as schemas from '../schemas/account.ts'
import type { Confirmations } from '../services/confirmations.ts'
import type { Sessions } from '../services/sessions.ts'
import type { Ways } from '../services/ways.ts'
import { operators } from './people.ts'

interface Deps {
  confirmations: Confirmations
  sessions: Sessions
  ways: Ways
}
const principals = ['user'] as const
const config = { principals }
const sensitive = { principals, limit: 'sensitive' } as const

/** How a person signs in, and where it has. */
export function accountRoutes(app: App, { confirmations, sessions, ways }: Deps) {
  app.post(
    '/people/me/confirm/challenges',
    { schema: schemas.beginConfirmation, config: sensitive },
    async ({ principal }, reply) => {
      const publicKey = (await confirmations.begin(principal)) as never
      return reply.code(201).header('cache-control', 'no-store').send({ data: { publicKey } })
    }
  )
  app.post(
    '/people/me/confirm',
    { schema: schemas.confirm, config: { ...sensitive, bodyLimit: 65_536 } },
    async ({ principal, body }) => ({ data: await confirmations.confirm(principal, body) })
  )
  app.put(
    '/people/me/password',
    { schema: schemas.changePassword, config: sensitive },
    async ({ principal, body }) => ({
      data: (await ways.changePassword(principal, body.password)) as never
    })
  )

  app.get('/people/me/accounts', { schema: schemas.listAccounts, config }, async ({ principal, query }) => {
    return (await ways.listAccounts(principal, query)) as never
  })
  app.delete(
    '/people/me/accounts/:accountId',
    { schema: schemas.unlinkAccount, config },
    async ({ principal, params }) => ({ data: await ways.unlinkAccount(principal, params.accountId) })
  )
  app.get(
    '/people/:personId/accounts',
    { ...operators, schema: schemas.listAccountsOfPerson },
    async ({ params, query }) => (await ways.listAccountsOf(params.personId, query)) as never
  )
  app.delete(
    '/people/:personId/accounts/:accountId',
    { ...operators, schema: schemas.unlinkAccountOfPerson },
    async ({ principal, params }) => ({
      data: await ways.unlinkAccountOf(principal, params.personId, params.accountId)
    })
  )
  app.post(
    '/people/:personId/release-address',
    { ...operators, schema: schemas.releaseAddress },
    async ({ principal, params }) => ({
      data: (await ways.releaseAddress(principal, params.personId)) as never
    })
  )

  app.get('/people/me/sessions', { schema: schemas.listSessions, config }, async ({ principal, query }) => {
    return (await sessions.list(principal, query)) as never
  })
  app.delete(
    '/people/me/sessions/:sessionId',
    { schema: schemas.endSession, config },
    async ({ principal, params }) => ({ data: await sessions.end(principal, params.sessionId) })
  )
  app.post(
    '/people/me/sessions/end-others',
    { schema: schemas.endOtherSessions, config: sensitive },
    async ({ principal }) => ({ data: await sessions.endAllOthers(principal) })
  )
}
