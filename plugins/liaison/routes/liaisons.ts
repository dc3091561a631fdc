import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  createLiaison,
  deleteLiaison,
  listLiaisons,
  listOutsiders,
  readLiaison,
  rotateToken,
  updateLiaison,
  updateOutsider
} from '../schemas/liaisons.ts'
import type { LiaisonService } from '../services/liaisons.ts'

/** An agent does not open doors to outsiders. */
const principals = ['user', 'service'] as const
const withToken = { principals, limit: 'sensitive', secret: 'token' } as const

export function liaisonRoutes(app: App, { liaisonService }: { liaisonService: LiaisonService }) {
  app.post('/liaison', { schema: createLiaison, config: withToken }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await liaisonService.create(principal, body) })
  })

  app.get('/liaison', { schema: listLiaisons }, ({ principal, query }) =>
    liaisonService.list(principal, query)
  )

  app.get('/liaison/:liaisonId', { schema: readLiaison }, async ({ principal, params }) => {
    return { data: await liaisonService.read(principal, params.liaisonId) }
  })

  app.put('/liaison/:liaisonId', { schema: updateLiaison, config: { principals } }, async (request) => {
    const { principal, params, body } = request
    return { data: await liaisonService.update(principal, params.liaisonId, body, ifMatch(request)) }
  })

  app.delete('/liaison/:liaisonId', { schema: deleteLiaison, config: { principals } }, async (request) => {
    const { principal, params } = request
    return { data: await liaisonService.remove(principal, params.liaisonId, ifMatch(request)) }
  })

  app.post(
    '/liaison/:liaisonId/token',
    { schema: rotateToken, config: withToken },
    async ({ principal, params }) => {
      return { data: await liaisonService.rotate(principal, params.liaisonId) }
    }
  )

  app.get('/liaison/:liaisonId/outsiders', { schema: listOutsiders }, ({ principal, params, query }) =>
    liaisonService.listOutsiders(principal, params.liaisonId, query)
  )

  app.put(
    '/liaison/:liaisonId/outsiders/:outsiderId',
    { schema: updateOutsider, config: { principals } },
    async (request) => {
      const { principal, params, body } = request
      const { liaisonId, outsiderId } = params
      const version = ifMatch(request)
      return { data: await liaisonService.block(principal, liaisonId, outsiderId, body.blocked, version) }
    }
  )
}
