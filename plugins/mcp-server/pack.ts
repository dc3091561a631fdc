import { definePack } from 'agent-platform'
import { mcpServerRoutes } from './routes.ts'
import { createAgentTools } from './services/agent-tools.ts'
import { createAssignedTools } from './services/assigned-tools.ts'
import { createCallsUnderWay } from './services/calls-under-way.ts'
import { createMcpService } from './services/mcp-service.ts'
import { createOpenRequests } from './services/open-requests.ts'
import { createSources } from './services/sources.ts'
import { McpServerSettings } from './settings.ts'

/** The platform as a tool server: tools and agents for clients of the Model Context Protocol. */
export default definePack({
  name: 'mcp-server',
  area: 'Tools',
  summary: 'the platform as an MCP server',
  requires: ['agents', 'runs', 'tools'],
  settings: McpServerSettings,
  services: {
    openRequests: createOpenRequests,
    callsUnderWay: createCallsUnderWay,
    sources: createSources,
    agentTools: createAgentTools,
    assignedTools: createAssignedTools,
    mcpService: createMcpService
  },
  routes: mcpServerRoutes,
  start: ({ openRequests }) => openRequests.begin(),
  stop: ({ openRequests }) => openRequests.end()
})
