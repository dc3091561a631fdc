import type { App } from 'agent-platform'
import { listModels } from '../schemas.ts'
import type { ModelService } from '../services/models.ts'

const config = { by: 'public' } as const

export function modelRoutes(app: App, { modelService }: { modelService: ModelService }) {
  app.get('/models', { schema: listModels, config }, ({ query }) => modelService.list(query))
}
