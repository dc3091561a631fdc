import type { App } from 'agent-platform'
import { Data, Deleted, ifMatch, Page } from 'agent-platform'
import { Type } from 'typebox'
import { Cap, CapChanges, CapQuery, NewCap } from '../schemas/caps.ts'
import type { CapService } from '../services/caps.ts'

/** An agent does not widen its own cap. */
const config = { principals: ['user', 'service'] } as const
const tags = ['credits']
const params = Type.Object({ capId: Type.String() })

export function capRoutes(app: App, { capService }: { capService: CapService }) {
  const create = { tags, summary: 'Create a spend cap', body: NewCap, response: { 201: Data(Cap) } }
  app.post('/credits/caps', { schema: create, config }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await capService.create(principal, body) })
  })

  const list = {
    tags,
    summary: 'List spend caps',
    querystring: CapQuery,
    response: { 200: Page(Cap), 404: {} }
  }
  app.get('/credits/caps', { schema: list, config }, ({ principal, query }) =>
    capService.list(principal, query)
  )

  const read = { tags, summary: 'Get a spend cap', params, response: { 200: Data(Cap) } }
  app.get('/credits/caps/:capId', { schema: read, config }, async ({ principal, params }) => {
    return { data: await capService.read(principal, params.capId) }
  })

  const update = {
    tags,
    summary: 'Update a spend cap',
    params,
    body: CapChanges,
    response: { 200: Data(Cap) }
  }
  app.put('/credits/caps/:capId', { schema: update, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await capService.update(principal, params.capId, body, ifMatch(request)) }
  })

  const remove = { tags, summary: 'Delete a spend cap', params, response: { 200: Deleted } }
  app.delete('/credits/caps/:capId', { schema: remove, config }, async (request) => {
    const { principal, params } = request
    return { data: await capService.remove(principal, params.capId, ifMatch(request)) }
  })
}
