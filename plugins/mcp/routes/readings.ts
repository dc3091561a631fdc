import type { App } from 'agent-platform'
import { listPrompts, listResources, readResource, renderPrompt } from '../schemas/reading.ts'
import type { ReadingService } from '../services/readings.ts'
import { promptOf, resourceOf } from '../told.ts'

export function readingRoutes(app: App, { readingService }: { readingService: ReadingService }) {
  app.get(
    '/mcp/servers/:serverId/resources',
    { schema: listResources },
    async ({ principal, params, query }) => {
      const { data, nextCursor } = await readingService.list(principal, 'resource', params.serverId, query)
      return { data: data.map(resourceOf), nextCursor }
    }
  )

  app.get(
    '/mcp/servers/:serverId/resources/read',
    { schema: readResource },
    async ({ principal, params, query }) => {
      return { data: await readingService.read(principal, params.serverId, query.uri) }
    }
  )

  app.get('/mcp/servers/:serverId/prompts', { schema: listPrompts }, async ({ principal, params, query }) => {
    const { data, nextCursor } = await readingService.list(principal, 'prompt', params.serverId, query)
    return { data: data.map(promptOf), nextCursor }
  })

  app.post(
    '/mcp/servers/:serverId/prompts/:promptName',
    { schema: renderPrompt },
    async ({ principal, params, body }) => {
      const { serverId, promptName } = params
      return { data: await readingService.render(principal, serverId, promptName, body?.arguments) }
    }
  )
}
