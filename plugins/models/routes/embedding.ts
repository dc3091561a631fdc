import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { chooseEmbeddingModel, readEmbeddingModel, resetEmbeddingModel } from '../schemas.ts'
import type { EmbeddingModels } from '../services/embedding-models.ts'

const config = { limit: 'sensitive' } as const

export function embeddingRoutes(app: App, { embeddingModels }: { embeddingModels: EmbeddingModels }) {
  app.get('/models/embedding', { schema: readEmbeddingModel }, async ({ principal }) => {
    return { data: await embeddingModels.read(principal) }
  })

  app.put('/models/embedding', { schema: chooseEmbeddingModel, config }, async (request) => {
    const { principal, body } = request
    return { data: await embeddingModels.choose(principal, body, ifMatch(request)) }
  })

  app.delete('/models/embedding', { schema: resetEmbeddingModel, config }, async (request) => {
    await embeddingModels.reset(request.principal, ifMatch(request))
    return { data: { id: 'embedding', deleted: true as const } }
  })
}
