import { Closed, Data, Deleted, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Implementation = Type.Object(
  {
    provider: Type.String({ examples: ['openai'] }),
    name: Type.String({ description: 'As people know it' }),
    configured: Type.Boolean({ description: 'Whether it could serve the project as it is' }),
    models: Type.Array(Type.String(), { description: 'Known ones, its default first' }),
    takes: Type.Array(Type.Enum(['apiKey', 'baseUrl']), {
      description: 'What of its own the project may give it'
    })
  },
  { title: 'CapabilityImplementation' }
)
export const CapabilityProvider = Type.Object(
  {
    capability: Type.String({ examples: ['embeddings'] }),
    title: Type.String(),
    description: Type.String(),
    provider: OrNull(Type.String({ description: 'What serves it; null: nothing' })),
    modelId: OrNull(Type.String({ description: "Null: the provider's default, or it has no models" })),
    source: OrNull(Type.Enum(['project', 'environment', 'default'], { description: 'Who said so' })),
    configured: Type.Boolean({ description: 'Whether it can be asked' }),
    configurable: Type.Boolean({ description: 'Whether a project may choose' }),
    options: Type.Array(Implementation),
    version: Type.Integer({ description: "Counts the project's choices, 0 before the first; the ETag" }),
    updatedAt: OrNull(Time)
  },
  { title: 'CapabilityProvider' }
)
const text = (pattern: string, maxLength: number, description: string) =>
  Type.Optional(OrNull(Type.String({ minLength: 1, maxLength, pattern, description })))
const Choice = Closed({
  provider: Type.String({ minLength: 1, maxLength: 100, examples: ['openai'] }),
  modelId: text('\\S', 200, "Null or left out: the provider's default"),
  apiKey: text('^[\\x21-\\x7e]+$', 1_000, 'Sealed, and never shown again; null: the deployment’s'),
  baseUrl: text('^https?://[^@?#\\s]+$', 2_000, 'Null: the deployment’s')
})

export type CapabilityProvider = Static<typeof CapabilityProvider>

const tags = ['providers']
const params = Type.Object({ capability: Type.String({ maxLength: 100 }) })

export const listProviders = {
  tags,
  summary: 'List what serves each capability in the project',
  querystring: Type.Object(Paging),
  response: { 200: Page(CapabilityProvider) }
}
export const chooseProvider = {
  tags,
  summary: 'Choose what serves a capability in the project',
  description:
    'It is really asked before it is chosen, which may cost what one request costs. For services that speak for the whole ' +
    'project, and administrators. An `apiKey` or `baseUrl` holds for all that the provider does for the project.',
  params,
  body: Choice,
  response: { 200: Data(CapabilityProvider) }
}
export const resetProvider = {
  tags,
  summary: 'Reset a capability to what the deployment says',
  description: 'What the project gave the provider, such as a key, stays with its other capabilities.',
  params,
  response: { 200: Deleted }
}
