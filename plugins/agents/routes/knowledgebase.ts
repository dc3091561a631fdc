import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { readKnowledgebase, replaceKnowledgebase } from '../schemas.ts'
import type { KnowledgebaseService } from '../services/knowledgebase.ts'

interface Deps {
  knowledgebaseService: KnowledgebaseService
}

export function knowledgebaseRoutes(app: App, { knowledgebaseService }: Deps) {
  app.get(
    '/agents/:agentId/knowledgebase',
    { schema: readKnowledgebase, config: { scope: ['agents:read'], tokens: 'agents' } },
    async ({ principal, params }) => {
      return { data: await knowledgebaseService.read(principal, params.agentId) }
    }
  )

  app.put(
    '/agents/:agentId/knowledgebase',
    { schema: replaceKnowledgebase, config: { scope: ['agents:write'] } },
    async (request) => {
      const { principal, params, body } = request
      return {
        data: await knowledgebaseService.replace(principal, params.agentId, body.content, ifMatch(request))
      }
    }
  )
}
