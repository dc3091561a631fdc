import type { App, Principal } from 'agent-platform'
import { listModels } from '../schemas.ts'
import type { ModelService } from '../services/models.ts'

/** Without a credential the answer is what is the same for every project. */
const config = { by: 'optional', scope: [], tokens: 'whole' } as const

export function modelRoutes(app: App, { modelService }: { modelService: ModelService }) {
  app.get('/models', { schema: listModels, config }, ({ principal, query }) =>
    modelService.list((principal as Principal | undefined)?.project, query)
  )
}
