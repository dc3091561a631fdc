import { definePack } from 'agent-platform'
import { documentRoutes } from './routes/documents.ts'
import { folderRoutes } from './routes/folders.ts'
import { spaceRoutes } from './routes/spaces.ts'
import { createSpaceAccess } from './services/access.ts'
import { createAgentSpaces } from './services/agent-spaces.ts'
import { createDocumentService } from './services/documents.ts'
import { createFolderService } from './services/folders.ts'
import { createGrantService } from './services/grants.ts'
import { createRemovals } from './services/removals.ts'
import { createSpaceService } from './services/spaces.ts'
import { KnowledgeSettings } from './settings.ts'
import { createDocumentStore } from './stores/documents.ts'
import { createFolderStore } from './stores/folders.ts'
import { createGrantStore } from './stores/grants.ts'
import { createSpaceStore } from './stores/spaces.ts'

/** Knowledge: spaces of documents that people and agents write, link, search and cite. */
export default definePack({
  name: 'knowledge',
  area: 'Knowledge',
  summary: 'spaces of documents that people and agents write, link, search and cite',
  requires: ['agents'],
  settings: KnowledgeSettings,
  services: {
    spaceStore: createSpaceStore,
    grantStore: createGrantStore,
    folderStore: createFolderStore,
    documentStore: createDocumentStore,
    spaceAccess: createSpaceAccess,
    agentSpaces: createAgentSpaces,
    removals: createRemovals,
    spaceService: createSpaceService,
    grantService: createGrantService,
    folderService: createFolderService,
    documentService: createDocumentService
  },
  routes(app, deps) {
    spaceRoutes(app, deps)
    folderRoutes(app, deps)
    documentRoutes(app, deps)
  },
  cascade: {
    'agents.deleted': { space_grant: ({ grantStore }) => grantStore.removeOfAgent },
    'knowledge.deleted': {
      space_grant: 'spaceId',
      folder: 'spaceId',
      document: 'spaceId',
      revision: ({ removals }) => removals.ofSpace('revision'),
      content: ({ removals }) => removals.ofSpace('content'),
      deleted_document: ({ removals }) => removals.ofSpace('deleted_document')
    }
  }
})
