import { definePack } from 'agent-platform'
import type {} from '../retrieval/contract.ts'
import { documentRoutes } from './routes/documents.ts'
import { folderRoutes } from './routes/folders.ts'
import { searchRoutes } from './routes/search.ts'
import { spaceRoutes } from './routes/spaces.ts'
import { createSpaceAccess } from './services/access.ts'
import { createAgentSpaces } from './services/agent-spaces.ts'
import { createDocumentService } from './services/documents.ts'
import { createFolderService } from './services/folders.ts'
import { createGrantService } from './services/grants.ts'
import { createGraphService } from './services/graph.ts'
import { createIndexing, INDEX_QUEUE, PASSAGES } from './services/indexing.ts'
import { createLinking } from './services/linking.ts'
import { createRemovals } from './services/removals.ts'
import { createSpaceService } from './services/spaces.ts'
import { KnowledgeSettings } from './settings.ts'
import { createDocumentStore } from './stores/documents.ts'
import { createFolderStore } from './stores/folders.ts'
import { createGrantStore } from './stores/grants.ts'
import { createLinkStore } from './stores/links.ts'
import { createPassageStore } from './stores/passages.ts'
import { createSpaceStore } from './stores/spaces.ts'

/** Knowledge: spaces of documents that people and agents write, link, search and cite. */
export default definePack({
  name: 'knowledge',
  area: 'Knowledge',
  summary: 'spaces of documents that people and agents write, link, search and cite',
  requires: ['agents', 'jobs'],
  uses: ['retrieval'],
  settings: KnowledgeSettings,
  services: {
    spaceStore: createSpaceStore,
    grantStore: createGrantStore,
    folderStore: createFolderStore,
    documentStore: createDocumentStore,
    linkStore: createLinkStore,
    passageStore: createPassageStore,
    spaceAccess: createSpaceAccess,
    agentSpaces: createAgentSpaces,
    linking: createLinking,
    indexing: createIndexing,
    removals: createRemovals,
    spaceService: createSpaceService,
    grantService: createGrantService,
    folderService: createFolderService,
    documentService: createDocumentService,
    graphService: createGraphService
  },
  routes(app, deps) {
    spaceRoutes(app, deps)
    folderRoutes(app, deps)
    documentRoutes(app, deps)
    searchRoutes(app, deps)
  },
  contributes: {
    'jobs.worker': [
      { key: INDEX_QUEUE, make: ({ indexing }) => ({ work: indexing.work, timeoutSeconds: 1_800 }) }
    ],
    'retrieval.collection': [{ key: PASSAGES, make: () => ({ name: 'Knowledge' }) }]
  },
  cascade: {
    'agents.deleted': { space_grant: ({ grantStore }) => grantStore.removeOfAgent },
    'knowledge.deleted': {
      space_grant: 'spaceId',
      folder: 'spaceId',
      document: 'spaceId',
      passage: ({ removals }) => removals.passagesOfSpace,
      link: ({ removals }) => removals.ofSpace('link'),
      known_name: ({ removals }) => removals.ofSpace('known_name'),
      revision: ({ removals }) => removals.ofSpace('revision'),
      content: ({ removals }) => removals.ofSpace('content'),
      deleted_document: ({ removals }) => removals.ofSpace('deleted_document')
    }
  }
})
