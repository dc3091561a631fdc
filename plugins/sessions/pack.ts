import { definePack } from 'agent-platform'
import type {} from '../archives/contract.ts'
import { sessionPart } from './archive-part.ts'
import { listCapability, readCapability } from './capabilities.ts'
import { createForkService } from './forks.ts'
import { sessionRoutes } from './routes.ts'
import { createSessionService } from './service.ts'
import { createArchiveStore } from './stores/archives.ts'
import { createForkStore } from './stores/forks.ts'
import { createFragmentStore } from './stores/fragments.ts'
import { createHistoryStore } from './stores/history.ts'
import { createMessageStore } from './stores/messages.ts'
import { createRemovalStore } from './stores/removals.ts'
import { createSessionStore } from './stores/sessions.ts'
import { createSummaryStore } from './stores/summaries.ts'

/** Sessions: conversations with an agent, and what was said in them. */
export default definePack({
  name: 'sessions',
  area: 'Agents',
  summary: 'conversations with an agent and their message history',
  requires: ['agents'],
  services: {
    sessionStore: createSessionStore,
    messageStore: createMessageStore,
    historyStore: createHistoryStore,
    fragmentStore: createFragmentStore,
    removalStore: createRemovalStore,
    archiveStore: createArchiveStore,
    forkStore: createForkStore,
    summaryStore: createSummaryStore,
    sessionService: createSessionService,
    forkService: createForkService
  },
  exports: ({ sessionService, sessionStore, messageStore, historyStore, fragmentStore, summaryStore }) => ({
    owned: sessionService.owned,
    remove: (by, id) => sessionService.remove(by, id),
    titles: sessionStore.listTitles,
    recent: historyStore.listRecent,
    summarize: summaryStore.insert,
    resultOf: messageStore.findResult,
    ofRun: messageStore.listOfRun,
    ofRuns: messageStore.listOfRuns,
    holdsUntrusted: messageStore.findUntrusted,
    fragments: {
      begin: fragmentStore.insertSessions,
      extend: fragmentStore.takePositions,
      append: fragmentStore.insertMessages,
      takeBack: fragmentStore.removeMessages
    }
  }),
  routes: sessionRoutes,
  contributes: {
    // Before those that name sessions.
    'archives.part': [{ order: -50, make: sessionPart }],
    'ui-plugins.capability': [
      { key: 'sessions.list', make: listCapability },
      { key: 'sessions.read', make: readCapability }
    ]
  },
  cascade: { 'agents.deleted': { session: ({ removalStore }) => removalStore.removeOfAgent } }
})
