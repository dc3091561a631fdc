import { definePack, grantRoutes, notFound, removeRows } from 'agent-platform'
import type {} from '../archives/contract.ts'
import type {} from '../extraction/contract.ts'
import type {} from '../files/contract.ts'
import type {} from '../retrieval/contract.ts'
import type {} from '../sessions/contract.ts'
import {
  listCapability,
  listDocumentsCapability,
  readCapability,
  searchCapability,
  writeCapability
} from './capabilities.ts'
import { createEmbeddedProvider } from './providers/embedded.ts'
import { createHttpProvider } from './providers/http.ts'
import { documentRoutes } from './routes/documents.ts'
import { folderRoutes } from './routes/folders.ts'
import { importRoutes } from './routes/imports.ts'
import { searchRoutes } from './routes/search.ts'
import { spaceRoutes } from './routes/spaces.ts'
import { documents } from './schemas/documents.ts'
import { grants } from './schemas/grants.ts'
import { createActing } from './services/acting.ts'
import { createAgentSpaces } from './services/agent-spaces.ts'
import { createArchivePart } from './services/archive-part.ts'
import { createArrivals } from './services/arrivals.ts'
import { createDocumentService } from './services/documents.ts'
import { createFileSources } from './services/file-sources.ts'
import { createFileTexts } from './services/file-texts.ts'
import { createFolderService } from './services/folders.ts'
import { createGrantService } from './services/grants.ts'
import { createGraphService } from './services/graph.ts'
import { createImportBatches } from './services/import-batches.ts'
import { createImportService, IMPORT_QUEUE } from './services/imports.ts'
import { createIndexing, INDEX_QUEUE, PASSAGES } from './services/indexing.ts'
import { createLinking } from './services/linking.ts'
import { createRemovals } from './services/removals.ts'
import { createSearches } from './services/searches.ts'
import { createSpaceService, EMBEDDED } from './services/spaces.ts'
import { KnowledgeSettings } from './settings.ts'
import { createSpaceAccess } from './stores/access.ts'
import { createCitationStore } from './stores/citations.ts'
import { createDocumentStore } from './stores/documents.ts'
import { createFolderStore } from './stores/folders.ts'
import { createImportStore } from './stores/imports.ts'
import { createLinkStore } from './stores/links.ts'
import { createPassageStore } from './stores/passages.ts'
import { createSpaceStore } from './stores/spaces.ts'

/** Knowledge: spaces of documents that people and agents write, link, search and cite. */
export default definePack({
  name: 'knowledge',
  area: 'Knowledge',
  summary: 'knowledge bases (RAG): document spaces with versions, links, search and citations',
  requires: ['agents', 'jobs', 'outgoing'],
  uses: ['retrieval', 'extraction', 'files'],
  settings: KnowledgeSettings,
  services: {
    spaceStore: createSpaceStore,
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
    graphService: createGraphService,
    citationStore: createCitationStore,
    searches: createSearches,
    acting: createActing,
    embeddedProvider: createEmbeddedProvider,
    httpProvider: createHttpProvider,
    importStore: createImportStore,
    fileTexts: createFileTexts,
    fileSources: createFileSources,
    importBatches: createImportBatches,
    importService: createImportService,
    arrivals: createArrivals,
    archivePart: createArchivePart
  },
  exports: ({ knex, spaceAccess, citationStore }) => ({
    async readable(by, type, id) {
      if (type === 'space') return spaceAccess.find(by, id, 'read')
      const document = await documents.find(knex, id)
      if (!document) throw notFound('Document')
      await spaceAccess.find(by, document.spaceId, 'read')
      return document
    },
    given: citationStore.listOfRuns
  }),
  routes(app, deps) {
    spaceRoutes(app, deps)
    grantRoutes(app, '/knowledge/:spaceId', grants, deps.grantService)
    folderRoutes(app, deps)
    documentRoutes(app, deps)
    searchRoutes(app, deps)
    importRoutes(app, deps)
  },
  contributes: {
    'archives.part': [{ make: ({ archivePart }) => archivePart }],
    'ui-plugins.capability': [
      { key: 'knowledge.list', make: listCapability },
      { key: 'knowledge.search', make: searchCapability },
      { key: 'knowledge.listDocuments', make: listDocumentsCapability },
      { key: 'knowledge.read', make: readCapability },
      { key: 'knowledge.write', make: writeCapability }
    ],
    'knowledge.provider': [
      { key: EMBEDDED, order: -1, make: ({ embeddedProvider }) => embeddedProvider },
      { key: 'http', make: ({ httpProvider }) => httpProvider }
    ],
    'runs.tools': [{ make: ({ acting }) => acting.tools }],
    'runs.context': [{ make: ({ acting }) => acting.context }],
    'runs.citations': [{ make: ({ acting }) => acting.citations }],
    'jobs.worker': [
      { key: INDEX_QUEUE, make: ({ indexing }) => ({ work: indexing.work, timeoutSeconds: 1_800 }) },
      {
        key: IMPORT_QUEUE,
        make: ({ importService }) => ({ work: importService.work, timeoutSeconds: 3_600 })
      }
    ],
    'retrieval.collection': [{ key: PASSAGES, make: ({ indexing }) => indexing.collection }]
  },
  cascade: {
    'agents.deleted': {
      space_grant: () => grants.removeOfAgent,
      citation: () => removeRows('knowledge.citation', 'agentId')
    },
    'sessions.deleted': { citation: () => removeRows('knowledge.citation', 'sessionId') },
    'knowledge.deleted': {
      space_grant: 'spaceId',
      citation: () => removeRows('knowledge.citation', 'spaceId'),
      import_file: ({ removals }) => removals.filesOfSpace,
      folder: 'spaceId',
      document: 'spaceId',
      passage: ({ removals }) => removals.passagesOfSpace,
      link: () => removeRows('knowledge.link', 'spaceId'),
      known_name: () => removeRows('knowledge.known_name', 'spaceId'),
      revision: () => removeRows('knowledge.revision', 'spaceId'),
      content: () => removeRows('knowledge.content', 'spaceId'),
      deleted_document: () => removeRows('knowledge.deleted_document', 'spaceId')
    }
  }
})
