import type { App } from 'agent-platform'
import { listDenials, readDenial } from './schemas.ts'
import type { DenialService } from './service.ts'

export function denialRoutes(app: App, { denialService }: { denialService: DenialService }) {
  app.get('/denials', { schema: listDenials }, ({ principal, query }) => denialService.list(principal, query))

  app.get('/denials/:denialId', { schema: readDenial }, async ({ principal, params }) => {
    return { data: await denialService.read(principal, params.denialId) }
  })
}
