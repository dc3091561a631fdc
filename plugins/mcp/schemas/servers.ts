import { Changes, Data, Deleted, Name, OrNull, Page, Searching, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const transports = ['http', 'sse', 'stdio'] as const
const HeaderName = Type.String({
  pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$",
  description: 'Header that a key is sent in; Authorization unless it is given'
})
const authFields = {
  type: Type.Enum(['none', 'key', 'oauth', 'connection']),
  keyId: Type.Optional(Type.String({ description: '`key`: a tool key whose hosts include the server’s' })),
  connectionId: Type.Optional(
    Type.String({
      description: '`connection`: an OAuth connection to a provider whose hosts include the server’s'
    })
  ),
  scopes: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      maxItems: 50,
      description: '`connection`: what it has to be allowed'
    })
  ),
  name: Type.Optional(HeaderName),
  scheme: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._-]{0,50}$',
      description: 'Word before a key; Bearer in Authorization'
    })
  ),
  clientId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: '`oauth`: of a client registered by hand' })
  ),
  scope: Type.Optional(Type.String({ maxLength: 1_000, description: '`oauth`: scopes to ask for' }))
}
const Secret = Type.String({ pattern: '^[\\x21-\\x7e]{1,1000}$', description: 'Never shown again' })
const SecretSet = Type.Object({ set: Type.Boolean() })

const Auth = Type.Object(
  { ...authFields, clientSecret: Type.Optional(SecretSet) },
  { title: 'McpServerAuth' }
)
const NewAuth = Type.Object(
  { ...authFields, clientSecret: Type.Optional(Type.Union([Secret, SecretSet])) },
  { title: 'NewMcpServerAuth' }
)
export type Auth = Static<typeof Auth>
export type NewAuth = Static<typeof NewAuth>

const Status = Type.Enum(['new', 'connected', 'disconnected', 'unauthorized', 'error'])
export type Status = Static<typeof Status>

const ServerName = Name({ maxLength: 100 })
const Url = Type.String({ maxLength: 2_000, description: 'Of a server reached by http or sse' })
const Command = Type.String({
  maxLength: 64,
  description: 'Of a server started by stdio: the name of a command that the deployment allows'
})
const Args = Type.Array(Type.String({ maxLength: 1_000 }), {
  maxItems: 32,
  description: 'What fills the open places of the command, in their order'
})

export const McpServer = Type.Object(
  {
    id: Type.String({ examples: ['mcpserver_01k4qz0000e0080000000000ab'] }),
    owner: Type.String(),
    name: ServerName,
    transport: Type.Enum(transports),
    url: OrNull(Url),
    command: OrNull(Command),
    args: Args,
    auth: Auth,
    status: Status,
    statusReason: OrNull(Type.String({ description: 'Why it is not connected, if so' })),
    lastSyncAt: OrNull(Time),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'McpServer' }
)
export type McpServer = Static<typeof McpServer>

const NewMcpServer = Type.Object(
  {
    name: ServerName,
    transport: Type.Optional(Type.Enum(transports, { default: 'http' })),
    url: Type.Optional(Url),
    command: Type.Optional(Command),
    args: Type.Optional(Args),
    auth: Type.Optional(NewAuth)
  },
  { title: 'NewMcpServer' }
)
export type NewMcpServer = Static<typeof NewMcpServer>

const McpServerChanges = Changes(
  Type.Object({ ...McpServer.properties, auth: NewAuth }, { title: 'McpServer' }),
  ['name', 'transport', 'url', 'command', 'args', 'auth']
)
export type McpServerChanges = Static<typeof McpServerChanges>

const McpServerStatus = Type.Object(
  {
    id: Type.String(),
    status: Status,
    statusReason: OrNull(Type.String()),
    lastSyncAt: OrNull(Time),
    open: Type.Boolean({ description: 'Whether the instance that answers has a connection open' }),
    protocolVersion: OrNull(Type.String({ examples: ['2026-07-28'] })),
    server: OrNull(
      Type.Object({ name: Type.String(), version: Type.String() }, { description: 'As it calls itself' })
    ),
    tools: Type.Integer({ description: 'That the server offers' }),
    available: Type.Integer({ description: 'Of these, what agents may be offered' }),
    pending: Type.Integer({ description: 'Tools that wait for approval' })
  },
  { title: 'McpServerStatus' }
)
export type McpServerStatus = Static<typeof McpServerStatus>

const Connected = Type.Object(
  {
    ...McpServer.properties,
    authorizationUrl: OrNull(
      Type.String({
        description:
          'Where the owner lets the platform use the server, while it is `unauthorized`; shown once, so that a repetition by its `Idempotency-Key` lacks it'
      })
    )
  },
  { title: 'McpServerConnection' }
)

const tags = ['mcp']
const params = Type.Object({ serverId: Type.String() })

export const createServer = {
  tags,
  summary: 'Register a tool server',
  body: NewMcpServer,
  response: { 201: Data(McpServer) }
}
export const listServers = {
  tags,
  summary: "List the caller's tool servers",
  querystring: Type.Object({
    ...Searching,
    owner: Type.Optional(Type.String({ minLength: 1, maxLength: 128 }))
  }),
  response: { 200: Page(McpServer) }
}
export const readServer = { tags, summary: 'Get a tool server', params, response: { 200: Data(McpServer) } }
export const updateServer = {
  tags,
  summary: 'Update a tool server',
  params,
  body: McpServerChanges,
  response: { 200: Data(McpServer) }
}
export const deleteServer = {
  tags,
  summary: 'Delete a tool server, with its tools',
  params,
  response: { 200: Deleted }
}
export const connectServer = {
  tags,
  summary: 'Connect to a tool server, and discover what it offers',
  params,
  response: { 200: Data(Connected) }
}
export const disconnectServer = {
  tags,
  summary: 'Disconnect from a tool server: its tools cannot be called until it is connected again',
  params,
  response: { 200: Data(McpServer) }
}
export const readStatus = {
  tags,
  summary: 'Connection status of a tool server',
  params,
  response: { 200: Data(McpServerStatus) }
}
