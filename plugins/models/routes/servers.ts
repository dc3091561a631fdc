import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { createServer, deleteServer, listServers, readServer, updateServer } from '../server-schemas.ts'
import type { ServerService } from '../services/servers.ts'

const config = { limit: 'sensitive' } as const

export function serverRoutes(app: App, { serverService }: { serverService: ServerService }) {
  app.post('/models/servers', { schema: createServer, config }, async ({ principal, body }, reply) => {
    const data = await serverService.create(principal, body)
    reply.code(201)
    return { data }
  })

  app.get('/models/servers', { schema: listServers }, ({ principal, query }) =>
    serverService.list(principal, query)
  )

  app.get('/models/servers/:name', { schema: readServer }, async ({ principal, params }) => {
    return { data: await serverService.read(principal, params.name) }
  })

  app.put('/models/servers/:name', { schema: updateServer, config }, async (request) => {
    const { principal, params, body } = request
    return { data: await serverService.update(principal, params.name, body, ifMatch(request)) }
  })

  app.delete('/models/servers/:name', { schema: deleteServer, config }, async (request) => {
    const { principal, params } = request
    const id = await serverService.remove(principal, params.name, ifMatch(request))
    return { data: { id, deleted: true as const } }
  })
}
