import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { pinApps, readLayout, unpinApps } from '../schemas/layout.ts'
import type { Layouts } from '../services/layouts.ts'

export function layoutRoutes(app: App, { layouts }: { layouts: Layouts }) {
  // An agent has no pages, and does not decide about those of its owner.
  const config = { principals: ['user', 'service'] } as const

  app.get('/ui-plugins/layout', { schema: readLayout, config }, async ({ principal, query }) => {
    return { data: await layouts.read(principal, query) }
  })

  app.put('/ui-plugins/layout', { schema: pinApps, config }, async (request) => {
    const { principal, query, body } = request
    return { data: await layouts.pin(principal, query, body, ifMatch(request)) }
  })

  app.delete('/ui-plugins/layout', { schema: unpinApps, config }, async (request) => {
    return { data: await layouts.unpin(request.principal, request.query, ifMatch(request)) }
  })
}
