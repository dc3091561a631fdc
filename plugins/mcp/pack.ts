import { definePack } from 'agent-platform'
import { marketplaceRoutes } from './routes/marketplace.ts'
import { oauthRoutes } from './routes/oauth.ts'
import { resourcePromptRoutes } from './routes/resources-prompts.ts'
import { serverRoutes } from './routes/servers.ts'
import { toolRoutes } from './routes/tools.ts'
import { createMcpKind } from './services/calls.ts'
import { createClientSessions } from './services/client-session.ts'
import { createConnectService } from './services/connect.ts'
import { createConnections } from './services/connections.ts'
import { createServerCredentials } from './services/credentials.ts'
import { createDiscoveredTools } from './services/discovered-tools.ts'
import { createDiscovery } from './services/discovery.ts'
import { createMarketplace } from './services/marketplace.ts'
import { createOauthFlow } from './services/oauth-flow.ts'
import { createOauthTokens } from './services/oauth-tokens.ts'
import { createResourcePromptService } from './services/resources-prompts.ts'
import { createSampling } from './services/sampling.ts'
import { createServerValidation } from './services/server-validation.ts'
import { createServerService } from './services/servers.ts'
import { createMcpToolService } from './services/tools.ts'
import { McpSettings } from './settings.ts'
import { createAuthorizationStore } from './stores/authorizations.ts'
import { createResourcePromptStore } from './stores/resources-prompts.ts'
import { createServerStore } from './stores/servers.ts'
import { createToolStore } from './stores/tools.ts'

/** MCP servers: the platform as a client of the Model Context Protocol. */
export default definePack({
  name: 'mcp',
  area: 'Tools',
  summary: 'MCP client: servers with their tools, resources and prompts',
  requires: ['tools', 'outgoing'],
  uses: ['models'],
  settings: McpSettings,
  services: {
    serverStore: createServerStore,
    toolStore: createToolStore,
    resourcePromptStore: createResourcePromptStore,
    authorizationStore: createAuthorizationStore,
    oauthTokens: createOauthTokens,
    serverCredentials: createServerCredentials,
    sampling: createSampling,
    connections: createConnections,
    serverValidation: createServerValidation,
    discoveredTools: createDiscoveredTools,
    discovery: createDiscovery,
    clientSessions: createClientSessions,
    oauthFlow: createOauthFlow,
    serverService: createServerService,
    connectService: createConnectService,
    mcpToolService: createMcpToolService,
    resourcePromptService: createResourcePromptService,
    marketplace: createMarketplace,
    mcpKind: createMcpKind
  },
  routes(app, deps) {
    marketplaceRoutes(app, deps)
    serverRoutes(app, deps)
    toolRoutes(app, deps)
    resourcePromptRoutes(app, deps)
    oauthRoutes(app, deps)
  },
  contributes: {
    'tools.kind': [{ key: 'mcp', make: ({ mcpKind }) => mcpKind }]
  },
  start: ({ connections }) => connections.start(),
  resume: async ({ connections, clientSessions }) =>
    connections.resume((server) => void clientSessions.changed(server)),
  stop: async ({ connections }) => connections.stop()
})
