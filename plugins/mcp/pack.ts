import { definePack } from 'agent-platform'
import { marketplaceRoutes } from './routes/marketplace.ts'
import { oauthRoutes } from './routes/oauth.ts'
import { readingRoutes } from './routes/readings.ts'
import { serverRoutes } from './routes/servers.ts'
import { toolRoutes } from './routes/tools.ts'
import { createAuthorizations } from './services/authorizations.ts'
import { createMcpKind } from './services/calls.ts'
import { createConnections } from './services/connections.ts'
import { createConsents } from './services/consents.ts'
import { createServerCredentials } from './services/credentials.ts'
import { createLinkService } from './services/links.ts'
import { createMarketplace } from './services/marketplace.ts'
import { createPlaces } from './services/places.ts'
import { createReaching } from './services/reaching.ts'
import { createReadingService } from './services/readings.ts'
import { createSampling } from './services/sampling.ts'
import { createServerService } from './services/servers.ts'
import { createSyncs } from './services/syncs.ts'
import { createMcpToolService } from './services/tools.ts'
import { McpSettings } from './settings.ts'
import { createAuthorizationStore } from './stores/authorizations.ts'
import { createReadingStore } from './stores/readings.ts'
import { createServerStore } from './stores/servers.ts'
import { createToolStore } from './stores/tools.ts'

/** Tool servers: the platform as a client of the Model Context Protocol. */
export default definePack({
  name: 'mcp',
  area: 'Tools',
  summary: 'tool servers of the Model Context Protocol: their tools, resources and prompts',
  requires: ['tools', 'outgoing'],
  uses: ['models'],
  settings: McpSettings,
  services: {
    serverStore: createServerStore,
    toolStore: createToolStore,
    readingStore: createReadingStore,
    authorizationStore: createAuthorizationStore,
    authorizations: createAuthorizations,
    serverCredentials: createServerCredentials,
    sampling: createSampling,
    connections: createConnections,
    places: createPlaces,
    syncs: createSyncs,
    reaching: createReaching,
    consents: createConsents,
    serverService: createServerService,
    linkService: createLinkService,
    mcpToolService: createMcpToolService,
    readingService: createReadingService,
    marketplace: createMarketplace,
    mcpKind: createMcpKind
  },
  routes(app, deps) {
    marketplaceRoutes(app, deps)
    serverRoutes(app, deps)
    toolRoutes(app, deps)
    readingRoutes(app, deps)
    oauthRoutes(app, deps)
  },
  contributes: {
    'tools.kind': [{ key: 'mcp', make: ({ mcpKind }) => mcpKind }]
  },
  start: ({ connections }) => connections.start(),
  resume: async ({ connections, reaching }) => connections.resume((server) => void reaching.look(server)),
  stop: async ({ connections }) => connections.stop()
})
