import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  connectServer,
  createServer,
  deleteServer,
  disconnectServer,
  listServers,
  readServer,
  readStatus,
  updateServer
} from '../schemas/servers.ts'
import type { LinkService } from '../services/links.ts'
import type { ServerService } from '../services/servers.ts'
import { serverOf } from '../told.ts'

interface Deps {
  serverService: ServerService
  linkService: LinkService
}

export function serverRoutes(app: App, { serverService, linkService }: Deps) {
  app.post('/mcp/servers', { schema: createServer }, async ({ principal, body }, reply) => {
    const row = await serverService.register(principal, body)
    return reply.code(201).send({ data: serverOf(row) })
  })

  app.get('/mcp/servers', { schema: listServers }, async ({ principal, query }) => {
    const { data, nextCursor } = await serverService.list(principal, query)
    return { data: data.map(serverOf), nextCursor }
  })

  app.get('/mcp/servers/:serverId', { schema: readServer }, async ({ principal, params }) => {
    return { data: serverOf(await serverService.read(principal, params.serverId)) }
  })

  app.put('/mcp/servers/:serverId', { schema: updateServer }, async (request) => {
    const { principal, params, body } = request
    return { data: serverOf(await serverService.update(principal, params.serverId, body, ifMatch(request))) }
  })

  app.delete('/mcp/servers/:serverId', { schema: deleteServer }, async ({ principal, params }) => {
    await serverService.remove(principal, params.serverId)
    return { data: { id: params.serverId, deleted: true as const } }
  })

  app.post('/mcp/servers/:serverId/connect', { schema: connectServer }, async ({ principal, params }) => {
    return { data: await linkService.connect(principal, params.serverId) }
  })

  app.post(
    '/mcp/servers/:serverId/disconnect',
    { schema: disconnectServer },
    async ({ principal, params }) => {
      return { data: await linkService.disconnect(principal, params.serverId) }
    }
  )

  app.get('/mcp/servers/:serverId/status', { schema: readStatus }, async ({ principal, params }) => {
    return { data: await linkService.status(principal, params.serverId) }
  })
}
