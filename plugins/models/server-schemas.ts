import { Closed, Data, Deleted, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Name = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$',
  maxLength: 40,
  description: 'Name of the server: lowercase letters, digits and hyphens',
  examples: ['vllm']
})
const BaseUrl = Type.String({ maxLength: 2_000, pattern: '^https?://[^@?#\\s]+$' })
const HeaderName = Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" })
const HeaderValue = Type.String({ pattern: '^[\\x20-\\x7e]{0,2000}$' })
const Tokens = (description: string) =>
  OrNull(Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: `${description}; null: unknown` }))

const ServerModel = Closed({
  modelId: Type.String({ minLength: 1, maxLength: 200 }),
  contextTokens: Type.Optional(Tokens('Maximum number of tokens of prompt and reply')),
  outputTokens: Type.Optional(Tokens('Maximum number of tokens of a reply')),
  inputModalities: Type.Optional(
    OrNull(Type.Array(Type.Enum(['text', 'image']), { minItems: 1, maxItems: 2 }))
  )
})
export type ServerModel = Static<typeof ServerModel>

const writable = {
  baseUrl: BaseUrl,
  models: Type.Array(ServerModel, {
    maxItems: 200,
    description: 'Models set by hand. Values that are set take precedence over those that the server reports'
  })
}
const GivenHeader = Closed({
  name: HeaderName,
  value: Type.Optional(OrNull(HeaderValue)),
  secret: Type.Optional(Type.Boolean({ default: false, description: 'Encrypted, and never shown again' }))
})
const given = {
  apiKey: Type.Optional(
    OrNull(Type.String({ pattern: '^[\\x21-\\x7e]{1,1000}$', description: 'Never shown again' }))
  ),
  headers: Type.Optional(Type.Array(GivenHeader, { maxItems: 20 })),
  models: Type.Optional(writable.models)
}
const NewServer = Type.Object(
  { name: Name, baseUrl: BaseUrl, ...given },
  { title: 'NewModelServer', additionalProperties: false }
)
const ServerChanges = Type.Object(
  { baseUrl: Type.Optional(BaseUrl), ...given },
  { title: 'ModelServerChanges', additionalProperties: false }
)
const Server = Type.Object(
  {
    id: Type.String({
      description: 'The `modelProvider` of agents that use the server',
      examples: ['openai-compatible:vllm']
    }),
    name: Name,
    ...writable,
    apiKey: Type.Object({ set: Type.Boolean() }),
    headers: Type.Array(
      Type.Object({
        name: Type.String(),
        value: OrNull(Type.String({ description: 'Null for a secret header' })),
        secret: Type.Boolean()
      })
    ),
    version: Type.Integer({ description: 'Version, incremented on each update; also the ETag' }),
    updatedAt: OrNull(Time)
  },
  { title: 'ModelServer' }
)

export type NewServer = Static<typeof NewServer>
export type ServerChanges = Static<typeof ServerChanges>
export type Server = Static<typeof Server>

const tags = ['models']
const params = Type.Object({ name: Type.String({ maxLength: 100 }) })

export const createServer = {
  tags,
  summary: 'Create an OpenAI-compatible server',
  description:
    'Agents of the project use it by the `modelProvider` `openai-compatible:<name>`. 409 if the name exists.',
  body: NewServer,
  response: { 201: Data(Server) }
}
export const listServers = {
  tags,
  summary: 'List OpenAI-compatible servers',
  querystring: Type.Object({ ...Paging }),
  response: { 200: Page(Server) }
}
export const readServer = {
  tags,
  summary: 'Get an OpenAI-compatible server',
  params,
  response: { 200: Data(Server) }
}
export const updateServer = {
  tags,
  summary: 'Update an OpenAI-compatible server',
  description:
    'With another `baseUrl`, the key and all secret headers must be given again: 400 `api_key_needed`.',
  params,
  body: ServerChanges,
  response: { 200: Data(Server) }
}
export const deleteServer = {
  tags,
  summary: 'Delete an OpenAI-compatible server',
  params,
  response: { 200: Deleted }
}
