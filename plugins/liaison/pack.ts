import { definePack } from 'agent-platform'
import type {} from '../tools/contract.ts'
import { interactionRoutes } from './routes/interactions.ts'
import { liaisonRoutes } from './routes/liaisons.ts'
import { createActing } from './services/acting.ts'
import { createInteractionService } from './services/interactions.ts'
import { createLiaisonService } from './services/liaisons.ts'
import { LiaisonSettings } from './settings.ts'
import { createLiaisonStore } from './stores/liaisons.ts'
import { createOutsiderStore } from './stores/outsiders.ts'

/** Liaisons: agents that stand for others towards outsiders. */
export default definePack({
  name: 'liaison',
  area: 'Agents',
  summary:
    'agents that represent a person or another agent to external contacts, and ask before they go further',
  requires: ['agents', 'runs'],
  uses: ['tools'],
  settings: LiaisonSettings,
  services: {
    liaisonStore: createLiaisonStore,
    outsiderStore: createOutsiderStore,
    liaisonService: createLiaisonService,
    interactionService: createInteractionService,
    acting: createActing
  },
  routes(app, deps) {
    interactionRoutes(app, deps)
    liaisonRoutes(app, deps)
  },
  contributes: {
    'runs.tools': [{ make: ({ acting }) => acting.tools }],
    'runs.context': [{ make: ({ acting }) => acting.context }]
  },
  cascade: {
    'agents.deleted': { liaison: 'agentId', outsider: 'agentId' },
    'liaison.deleted': { outsider: 'liaisonId' }
  },
  stop: async ({ liaisonService }) => liaisonService.close()
})
