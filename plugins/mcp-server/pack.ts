import { definePack } from 'agent-platform'
import { mcpServerRoutes } from './routes.ts'
import { createAgentTools } from './services/agent-tools.ts'
import { createAssignedTools } from './services/assigned-tools.ts'
import { createExchanges } from './services/exchanges.ts'
import { createMcpService } from './services/mcp-service.ts'
import { McpServerSettings } from './settings.ts'

/** The platform as a tool server: tools and agents for clients of the Model Context Protocol. */
export default definePack({
  name: 'mcp-server',
  area: 'Tools',
  summary: 'the platform as a tool server, for clients of the Model Context Protocol',
  requires: ['agents', 'runs', 'tools'],
  settings: McpServerSettings,
  services: {
    exchanges: createExchanges,
    agentTools: createAgentTools,
    assignedTools: createAssignedTools,
    mcpService: createMcpService
  },
  routes: mcpServerRoutes,
  start: ({ exchanges }) => exchanges.begin(),
  stop: ({ exchanges }) => exchanges.end()
})
