import type { App } from 'agent-platform'
import { promptOf, resourceOf } from '../presenters.ts'
import { listPrompts, listResources, readResource, renderPrompt } from '../schemas/resources-prompts.ts'
import type { ResourcePromptService } from '../services/resources-prompts.ts'

export function resourcePromptRoutes(
  app: App,
  { resourcePromptService }: { resourcePromptService: ResourcePromptService }
) {
  app.get(
    '/mcp/servers/:serverId/resources',
    { schema: listResources },
    async ({ principal, params, query }) => {
      const { data, nextCursor } = await resourcePromptService.list(
        principal,
        'resource',
        params.serverId,
        query
      )
      return { data: data.map(resourceOf), nextCursor }
    }
  )

  app.get(
    '/mcp/servers/:serverId/resources/read',
    { schema: readResource, config: { failures: ['upstream', 'upstreamTimeout'] } },
    async ({ principal, params, query }) => {
      return { data: await resourcePromptService.read(principal, params.serverId, query.uri) }
    }
  )

  app.get('/mcp/servers/:serverId/prompts', { schema: listPrompts }, async ({ principal, params, query }) => {
    const { data, nextCursor } = await resourcePromptService.list(principal, 'prompt', params.serverId, query)
    return { data: data.map(promptOf), nextCursor }
  })

  app.post(
    '/mcp/servers/:serverId/prompts/:promptName',
    { schema: renderPrompt, config: { failures: ['upstream', 'upstreamTimeout'] } },
    async ({ principal, params, body }) => {
      const { serverId, promptName } = params
      return { data: await resourcePromptService.render(principal, serverId, promptName, body?.arguments) }
    }
  )
}
