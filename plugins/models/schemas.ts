import { Changes, Data, Deleted, OrNull, Page, Paging, Replacement, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

const Tokens = (description: string) =>
  OrNull(Type.Integer({ minimum: 1, description: `${description}; null: unknown` }))

const Modalities = Type.Array(Type.Enum(['language', 'embedding', 'transcription', 'speech', 'image']), {
  description: 'What it can be asked for'
})
const ModelInfo = Type.Object(
  {
    modelId: Type.String(),
    name: Type.String(),
    contextTokens: Tokens('Tokens that prompt and reply may have together'),
    outputTokens: Tokens('Tokens that a reply may have'),
    inputModalities: OrNull(
      Type.Array(Type.Enum(['text', 'image']), { description: 'What it can be given; null: unknown' })
    )
  },
  { title: 'ModelInfo' }
)
const ListedModel = Type.Object(
  {
    id: Type.String({ examples: ['anthropic/claude-sonnet-5-5'] }),
    modelProvider: Type.String(),
    ...ModelInfo.properties,
    modalities: Modalities,
    dimensions: OrNull(
      Type.Integer({ minimum: 1, description: 'Numbers of a vector that it gives; null: none, or unknown' })
    ),
    configured: Type.Boolean({
      description: "Whether the caller's project can use it; without a credential: every project"
    }),
    default: Type.Boolean({
      description: 'The one for agents that name none; of those for vectors, the one that is asked'
    })
  },
  { title: 'Model' }
)

const ApiKeySet = Type.Object(
  { set: Type.Boolean({ description: 'Whether the project gave one' }) },
  { additionalProperties: false }
)
const BaseUrl = OrNull(
  Type.String({
    maxLength: 2_000,
    pattern: '^https?://[^@?#\\s]+$',
    description: "The project's own address for this provider; null: the platform's"
  })
)
const ModelProvider = Type.Object(
  {
    id: Type.String({ examples: ['anthropic'] }),
    name: Type.String(),
    configured: Type.Boolean({ description: 'Whether the project can use it' }),
    source: OrNull(Type.Enum(['project', 'environment'], { description: 'Whose key and address are used' })),
    baseUrl: BaseUrl,
    apiKey: ApiKeySet,
    modalities: Modalities,
    models: Type.Array(ModelInfo),
    version: Type.Integer({ description: 'Counts edits, 0 before the first; the ETag' }),
    updatedAt: OrNull(Time)
  },
  { title: 'ModelProvider' }
)
const ModelProviderChanges = Changes(
  Type.Object(
    {
      ...ModelProvider.properties,
      apiKey: Type.Union([
        Type.String({ pattern: '^[\\x21-\\x7e]{1,1000}$', description: 'Never shown again' }),
        Type.Null(),
        ApiKeySet
      ])
    },
    { title: 'ModelProvider' }
  ),
  ['apiKey', 'baseUrl']
)

const EmbeddingModelChoice = Type.Object(
  {
    modelProvider: Type.String({ examples: ['openai'] }),
    modelId: OrNull(
      Type.String({ minLength: 1, maxLength: 200, description: "Null: the provider's default" })
    ),
    source: Type.Enum(['project', 'environment', 'default'], { description: 'Where the choice comes from' }),
    version: Type.Integer({ description: "Counts the project's choices, 0 before the first; the ETag" }),
    updatedAt: OrNull(Time)
  },
  { title: 'EmbeddingModelChoice' }
)

export type EmbeddingModelChoice = Static<typeof EmbeddingModelChoice>
export type ListedModel = Static<typeof ListedModel>
export type ModelProviderState = Static<typeof ModelProvider>
export type ModelProviderChanges = Static<typeof ModelProviderChanges>

const tags = ['models']
const params = Type.Object({ provider: Type.String({ maxLength: 100 }) })
const querystring = Type.Object({ ...Paging })

export const listModels = {
  tags,
  summary: 'List models',
  description: "As the caller's project has them; without a credential, as every project has them.",
  querystring,
  response: { 200: Page(ListedModel) }
}
export const listProviders = {
  tags,
  summary: 'List model providers as the project has them',
  querystring,
  response: { 200: Page(ModelProvider) }
}
export const readProvider = {
  tags,
  summary: 'Get a model provider',
  params,
  response: { 200: Data(ModelProvider) }
}
export const updateProvider = {
  tags,
  summary: "Set the project's own key or address for a model provider",
  params,
  body: ModelProviderChanges,
  response: { 200: Data(ModelProvider) }
}
export const resetProvider = {
  tags,
  summary: "Forget the project's own key and address for a model provider",
  params,
  response: { 200: Deleted }
}
export const readEmbeddingModel = {
  tags,
  summary: 'Get the model that gives vectors for the texts of the project',
  response: { 200: Data(EmbeddingModelChoice) }
}
export const chooseEmbeddingModel = {
  tags,
  summary: 'Choose the model that gives vectors for the texts of the project',
  description:
    'It is asked once before it is chosen. What has vectors of another one gets new ones meanwhile.',
  body: Replacement(EmbeddingModelChoice, ['modelProvider', 'modelId']),
  response: { 200: Data(EmbeddingModelChoice) }
}
export const resetEmbeddingModel = {
  tags,
  summary: "Forget the project's choice of a model for vectors",
  response: { 200: Deleted }
}
