import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { createTool, deleteTool, listStaticTools, listTools, readTool, updateTool } from '../schemas/tools.ts'
import type { ToolService } from '../services/tools.ts'

export function toolRoutes(app: App, { toolService }: { toolService: ToolService }) {
  app.get('/tools', { schema: listTools }, ({ principal, query }) => toolService.list(principal, query))

  app.get('/tools/static', { schema: listStaticTools }, async ({ query }) => toolService.listStatic(query))

  app.post(
    '/tools',
    { schema: createTool, config: { principals: ['user', 'service'] } },
    async ({ principal, body }, reply) => {
      const tool = await toolService.create(principal, body)
      return reply.code(201).send({ data: tool })
    }
  )

  app.get('/tools/:name', { schema: readTool }, async ({ principal, params }) => {
    return { data: await toolService.read(principal, params.name) }
  })

  app.put('/tools/:name', { schema: updateTool }, async (request) => {
    const { principal, params, body } = request
    return { data: await toolService.update(principal, params.name, body, ifMatch(request)) }
  })

  app.delete('/tools/:name', { schema: deleteTool }, async (request) => {
    const { principal, params } = request
    const id = await toolService.remove(principal, params.name, ifMatch(request))
    return { data: { id, deleted: true as const } }
  })
}
