import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { readPreference, updatePreference } from './schemas.ts'
import type { Addressing } from './service.ts'

export function preferenceRoutes(app: App, { addressing }: { addressing: Addressing }) {
  app.get('/library/preferences/storage', { schema: readPreference }, async ({ principal }) => {
    return { data: await addressing.read(principal) }
  })

  app.patch('/library/preferences/storage', { schema: updatePreference }, async (request) => {
    const { principal, body } = request
    return { data: await addressing.update(principal, body.storage, ifMatch(request)) }
  })
}
