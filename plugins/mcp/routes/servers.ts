import type { App, Kernel } from 'agent-platform'
import { authorizationCookie, ifMatch } from 'agent-platform'
import { serverOf } from '../presenters.ts'
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
import type { ConnectService } from '../services/connect.ts'
import type { ServerService } from '../services/servers.ts'

interface Deps extends Pick<Kernel, 'platform'> {
  serverService: ServerService
  connectService: ConnectService
}

export function serverRoutes(app: App, { platform, serverService, connectService }: Deps) {
  const cookie = authorizationCookie(platform.baseUrl)

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

  app.delete('/mcp/servers/:serverId', { schema: deleteServer }, async (request) => {
    const { serverId: id } = request.params
    await serverService.remove(request.principal, id, ifMatch(request))
    return { data: { id, deleted: true as const } }
  })

  app.post(
    '/mcp/servers/:serverId/connect',
    {
      schema: connectServer,
      config: { secret: 'authorizationUrl', failures: ['upstream', 'upstreamTimeout'] }
    },
    async (request, reply) => {
      const { principal, params } = request
      const isBrowser = cookie.isBrowser(request)
      const { data, browser } = await connectService.connect(principal, params.serverId, isBrowser)
      cookie.set(reply, browser)
      return { data }
    }
  )

  app.post(
    '/mcp/servers/:serverId/disconnect',
    { schema: disconnectServer },
    async ({ principal, params }) => {
      return { data: await connectService.disconnect(principal, params.serverId) }
    }
  )

  app.get('/mcp/servers/:serverId/status', { schema: readStatus }, async ({ principal, params }) => {
    return { data: await connectService.status(principal, params.serverId) }
  })
}
