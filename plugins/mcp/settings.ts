import type { Static } from 'typebox'
import { Type } from 'typebox'

const seconds = (env: string, value: number, maximum: number, description: string) =>
  Type.Integer({ env, minimum: 1, maximum, default: value, description })

export const McpSettings = Type.Object({
  mcpCommands: Type.Optional(
    Type.String({
      env: 'MCP_COMMANDS',
      maxLength: 100_000,
      description: 'Commands that servers may be started by, as JSON; none unless it is set'
    })
  ),
  mcpRegistryUrl: Type.String({
    env: 'MCP_REGISTRY_URL',
    pattern: '^(off|https?://[^@?#]+)$',
    default: 'https://registry.modelcontextprotocol.io',
    description: 'Address of a registry in the official format; `off`: only a small catalogue is shown'
  }),
  mcpSampling: Type.Boolean({
    env: 'MCP_SAMPLING',
    default: false,
    description: 'Whether a tool server may ask the model of the project during a call'
  }),
  mcpConnectSeconds: seconds('MCP_CONNECT_SECONDS', 20, 300, 'Seconds that connecting may take'),
  mcpCallSeconds: seconds(
    'MCP_CALL_SECONDS',
    60,
    600,
    'Seconds that one call of a server may take, questions to people not counted'
  ),
  mcpIdleSeconds: seconds(
    'MCP_IDLE_SECONDS',
    300,
    86_400,
    'Seconds after which an idle connection is closed'
  ),
  mcpConnections: Type.Integer({
    env: 'MCP_CONNECTIONS',
    minimum: 1,
    maximum: 10_000,
    default: 200,
    description: 'Connections to servers on each instance, at most'
  }),
  mcpMessageBytes: Type.Integer({
    env: 'MCP_MESSAGE_BYTES',
    minimum: 1_024,
    maximum: 67_108_864,
    default: 4_194_304,
    description: 'Bytes of one message of a server, at most'
  })
})
export type McpSettings = Static<typeof McpSettings>
