import { definePack } from 'agent-platform'
import { createEncoder } from './encoder.ts'
import { createOfflineProvider } from './provider.ts'
import { EmbeddingSettings } from './settings.ts'

/** Embeddings: a model in this process that gives vectors for texts, offline and without a key. */
export default definePack({
  name: 'embeddings',
  area: 'Agents',
  summary: 'a built-in embedding model that works offline and without an API key',
  requires: ['models'],
  settings: EmbeddingSettings,
  services: { encoder: createEncoder, offlineProvider: createOfflineProvider },
  contributes: {
    'models.provider': [{ key: 'offline', order: 900, make: ({ offlineProvider }) => offlineProvider }]
  }
})
