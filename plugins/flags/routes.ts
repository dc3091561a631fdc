import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { evaluateFlag, listFlags, readDefinition, removeFlag, setFlag } from './schemas.ts'
import type { FlagService } from './service.ts'

const config = { scope: ['platform:admin'] } as const

export function flagRoutes(app: App, { flagService }: { flagService: FlagService }) {
  app.get('/flags', { schema: listFlags }, ({ principal, query }) => flagService.list(principal, query))

  app.get('/flags/:key', { schema: evaluateFlag }, async ({ principal, params }) => {
    return { data: await flagService.evaluate(principal, params.key) }
  })

  app.get('/flags/:key/definition', { schema: readDefinition, config }, async ({ params }, reply) => {
    const data = await flagService.read(params.key)
    return reply.header('etag', `"${data.version}"`).send({ data })
  })

  app.put('/flags/:key', { schema: setFlag, config }, async (request, reply) => {
    const { principal, params, body } = request
    const { definition, isNew } = await flagService.set(
      principal,
      params.key,
      body,
      ifMatch(request as never)
    )
    return reply
      .code(isNew ? 201 : 200)
      .header('etag', `"${definition.version}"`)
      .send({ data: definition })
  })

  app.delete('/flags/:key', { schema: removeFlag, config }, async (request) => {
    return {
      data: await flagService.remove(request.principal, request.params.key, ifMatch(request as never))
    }
  })
}
