import type { App } from 'agent-platform'
import { approveTool, listServerTools, listTools, readTool, syncServer } from '../schemas/tools.ts'
import type { LinkService } from '../services/links.ts'
import type { McpToolService } from '../services/tools.ts'
import { toolOf } from '../told.ts'

interface Deps {
  linkService: LinkService
  mcpToolService: McpToolService
}

export function toolRoutes(app: App, { linkService, mcpToolService }: Deps) {
  app.post('/mcp/servers/:serverId/sync', { schema: syncServer }, async ({ principal, params, body }) => {
    const { refused, ...synced } = await linkService.sync(principal, params.serverId, body?.approve === true)
    return { data: { ...synced, refused: [...refused] } }
  })

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
