import { definePack } from 'agent-platform'
import { listCapability } from './capabilities.ts'
import { createModelConnections } from './connections.ts'
import { createKeyedProviders } from './providers/all.ts'
import { createLocalProvider } from './providers/local.ts'
import { embeddingRoutes } from './routes/embedding.ts'
import { modelRoutes } from './routes/models.ts'
import { providerRoutes } from './routes/providers.ts'
import { createEmbeddingChoices } from './services/embedding-choices.ts'
import { createEmbeddingModels } from './services/embedding-models.ts'
import { createExplanations } from './services/explain.ts'
import { createModelService } from './services/models.ts'
import { createConfigurations } from './services/provider-config.ts'
import { createProviderService } from './services/providers.ts'
import { ModelSettings } from './settings.ts'
import { createConfigurationStore } from './stores/configurations.ts'
import { createEmbeddingChoiceStore } from './stores/embedding-choices.ts'

/** Models: which there are, which one answers, and with whose key. */
export default definePack({
  name: 'models',
  area: 'Agents',
  summary: 'which models there are, which one answers, and with whose key',
  requires: ['outgoing'],
  settings: ModelSettings,
  services: {
    configurationStore: createConfigurationStore,
    configurations: createConfigurations,
    modelConnections: createModelConnections,
    keyedProviders: createKeyedProviders,
    localProvider: createLocalProvider,
    embeddingChoiceStore: createEmbeddingChoiceStore,
    embeddingChoices: createEmbeddingChoices,
    embeddingModels: createEmbeddingModels,
    modelService: createModelService,
    explanations: createExplanations,
    providerService: createProviderService
  },
  exports: ({ modelService, explanations, embeddingModels }) => ({
    checkProvider: modelService.checkProvider,
    resolve: modelService.resolve,
    explain: explanations.explain,
    embedding: embeddingModels.embedding
  }),
  routes(app, deps) {
    modelRoutes(app, deps)
    providerRoutes(app, deps)
    embeddingRoutes(app, deps)
  },
  contributes: {
    'ui-plugins.capability': [{ key: 'models.list', make: listCapability }],
    'models.provider': [
      { key: 'openai', order: 10, make: ({ keyedProviders }) => keyedProviders.openai },
      { key: 'anthropic', order: 20, make: ({ keyedProviders }) => keyedProviders.anthropic },
      { key: 'google', order: 30, make: ({ keyedProviders }) => keyedProviders.google },
      {
        key: 'openai-compatible',
        order: 40,
        make: ({ keyedProviders }) => keyedProviders['openai-compatible']
      },
      { key: 'local', order: 1_000, make: ({ localProvider }) => localProvider }
    ]
  },
  async stop({ configurations, embeddingChoices }) {
    configurations.close()
    embeddingChoices.close()
  }
})
