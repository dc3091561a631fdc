import type { App } from 'agent-platform'
import { toolOf } from '../presenters.ts'
import { approveTool, listServerTools, listTools, readTool, syncServer } from '../schemas/tools.ts'
import type { ConnectService } from '../services/connect.ts'
import type { McpToolService } from '../services/tools.ts'

interface Deps {
  connectService: ConnectService
  mcpToolService: McpToolService
}

export function toolRoutes(app: App, { connectService, mcpToolService }: Deps) {
  app.post(
    '/mcp/servers/:serverId/sync',
    { schema: syncServer, config: { failures: ['upstream', 'upstreamTimeout'] } },
    async ({ principal, params, body }) => {
      const { refused, ...synced } = await connectService.sync(
        principal,
        params.serverId,
        body?.approve === true
      )
      return { data: { ...synced, refused: [...refused] } }
    }
  )

  app.get(
    '/mcp/servers/:serverId/tools',
    { schema: listServerTools },
    async ({ principal, params, query }) => {
      const { data, nextCursor } = await mcpToolService.listOfServer(principal, params.serverId, query)
      return { data: data.map(toolOf), nextCursor }
    }
  )

  app.get('/mcp/tools', { schema: listTools }, async ({ principal, query }) => {
    const { data, nextCursor } = await mcpToolService.list(principal, query)
    return { data: data.map(toolOf), nextCursor }
  })

  app.get('/mcp/tools/:mcpToolId', { schema: readTool }, async ({ principal, params }) => {
    return { data: toolOf(await mcpToolService.read(principal, params.mcpToolId)) }
  })

  app.post('/mcp/tools/:mcpToolId/approve', { schema: approveTool }, async ({ principal, params, body }) => {
    return { data: toolOf(await mcpToolService.approve(principal, params.mcpToolId, body?.digest)) }
  })
}
