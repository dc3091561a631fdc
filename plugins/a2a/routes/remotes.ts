import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  listRemotes,
  readRemote,
  refreshRemote,
  registerRemote,
  removeRemote,
  updateRemote
} from '../schemas/remotes.ts'
import type { RemoteService } from '../services/remotes.ts'

/** Whom an agent calls must not come from what a model says: agents keep no others. */
const principals = ['user', 'service'] as const
const failures = ['upstream', 'upstreamTimeout'] as const

export function remoteRoutes(app: App, { remoteService }: { remoteService: RemoteService }) {
  app.post(
    '/a2a/remotes',
    { schema: registerRemote, config: { principals, failures } },
    async ({ principal, body }, reply) => {
      return reply.code(201).send({ data: await remoteService.register(principal, body) })
    }
  )

  app.get('/a2a/remotes', { schema: listRemotes, config: { principals } }, ({ principal, query }) =>
    remoteService.list(principal, query)
  )

  app.get('/a2a/remotes/:remoteId', { schema: readRemote, config: { principals } }, async (request) => {
    return { data: await remoteService.read(request.principal, request.params.remoteId) }
  })

  app.put('/a2a/remotes/:remoteId', { schema: updateRemote, config: { principals } }, async (request) => {
    const { principal, params, body } = request
    return { data: await remoteService.update(principal, params.remoteId, body, ifMatch(request)) }
  })

  app.post(
    '/a2a/remotes/:remoteId/refresh',
    { schema: refreshRemote, config: { principals, failures } },
    async ({ principal, params }) => {
      return { data: await remoteService.refresh(principal, params.remoteId) }
    }
  )

  app.delete('/a2a/remotes/:remoteId', { schema: removeRemote, config: { principals } }, async (request) => {
    const { principal, params } = request
    return { data: await remoteService.remove(principal, params.remoteId, ifMatch(request)) }
  })
}
