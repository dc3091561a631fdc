import { definePack } from 'agent-platform'
import type {} from '../providers/contract.ts'
import { listCapability } from './capabilities.ts'
import { createModelConnections } from './connections.ts'
import { modelFailureOf } from './failures/model-failure.ts'
import { lengthRejection } from './length-rejection.ts'
import { createKeyedProviders } from './providers/all.ts'
import { hostedKeys } from './providers/hosted.ts'
import { createLocalProvider } from './providers/local.ts'
import { createServers } from './providers/servers.ts'
import { embeddingRoutes } from './routes/embedding.ts'
import { fallbackRoutes } from './routes/fallbacks.ts'
import { modelRoutes } from './routes/models.ts'
import { providerRoutes } from './routes/providers.ts'
import { serverRoutes } from './routes/servers.ts'
import { createAskingService } from './services/asking.ts'
import { createCapabilityChoices } from './services/capability-choices.ts'
import { createChoices } from './services/choices.ts'
import { createEmbeddingModels } from './services/embedding-models.ts'
import { createExplanations } from './services/explain.ts'
import { createFallbackService } from './services/fallbacks.ts'
import { createMediaModels } from './services/media-models.ts'
import { createModelService } from './services/models.ts'
import { createConfigurations } from './services/provider-config.ts'
import { createProviderService } from './services/providers.ts'
import { createServerService } from './services/servers.ts'
import { ModelSettings } from './settings.ts'
import { createChoiceStore } from './stores/choices.ts'
import { createConfigurationStore } from './stores/configurations.ts'
import { createFallbackStore } from './stores/fallbacks.ts'

/** Models: which there are, which one answers, and with whose key. */
export default definePack({
  name: 'models',
  area: 'Agents',
  summary: 'model providers: available models, the default model, and API keys per project',
  requires: ['outgoing'],
  settings: ModelSettings,
  services: {
    configurationStore: createConfigurationStore,
    configurations: createConfigurations,
    modelConnections: createModelConnections,
    keyedProviders: createKeyedProviders,
    localProvider: createLocalProvider,
    servers: createServers,
    choiceStore: createChoiceStore,
    choices: createChoices,
    embeddingModels: createEmbeddingModels,
    mediaModels: createMediaModels,
    modelService: createModelService,
    askingService: createAskingService,
    explanations: createExplanations,
    providerService: createProviderService,
    serverService: createServerService,
    fallbackStore: createFallbackStore,
    fallbackService: createFallbackService,
    capabilityChoices: createCapabilityChoices
  },
  exports: ({
    fallbackService,
    modelService,
    askingService,
    explanations,
    embeddingModels,
    mediaModels
  }) => ({
    checkProvider: modelService.checkProvider,
    resolve: modelService.resolve,
    ask: askingService.ask,
    askMedia: askingService.askMedia,
    failureOf: modelFailureOf,
    lengthRejection,
    explain: explanations.explain,
    fallbacks: fallbackService.of,
    embedding: embeddingModels.embedding,
    media: mediaModels.media
  }),
  routes(app, deps) {
    modelRoutes(app, deps)
    providerRoutes(app, deps)
    serverRoutes(app, deps)
    fallbackRoutes(app, deps)
    embeddingRoutes(app, deps)
  },
  contributes: {
    'ui-plugins.capability': [{ key: 'models.list', make: listCapability }],
    'providers.capability': [
      { key: 'models', order: 10, make: ({ capabilityChoices }) => capabilityChoices.capability('language') },
      {
        key: 'embeddings',
        order: 20,
        make: ({ capabilityChoices }) => capabilityChoices.capability('embedding')
      },
      {
        key: 'transcription',
        order: 30,
        make: ({ capabilityChoices }) => capabilityChoices.capability('transcription')
      },
      { key: 'speech', order: 40, make: ({ capabilityChoices }) => capabilityChoices.capability('speech') },
      { key: 'images', order: 50, make: ({ capabilityChoices }) => capabilityChoices.capability('image') }
    ],
    'models.provider': [
      { key: 'openai', order: 10, make: ({ keyedProviders }) => keyedProviders.openai },
      { key: 'anthropic', order: 20, make: ({ keyedProviders }) => keyedProviders.anthropic },
      { key: 'google', order: 30, make: ({ keyedProviders }) => keyedProviders.google },
      {
        key: 'openai-compatible',
        order: 40,
        make: ({ keyedProviders }) => keyedProviders['openai-compatible']
      },
      ...hostedKeys.map((key, place) => ({
        key,
        order: 50 + place,
        make: ({ keyedProviders }: { keyedProviders: ReturnType<typeof createKeyedProviders> }) =>
          keyedProviders[key]
      })),
      { key: 'local', order: 1_000, make: ({ localProvider }) => localProvider }
    ]
  },
  async stop({ configurations, choices, fallbackService }) {
    fallbackService.close()
    configurations.close()
    choices.close()
  }
})
