import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import { deleteApp, listApps, listVersions, readApp, registerApp } from '../schemas/apps.ts'
import type { AppService } from '../services/apps.ts'
import type { Registration } from '../services/registration.ts'
import type { Removal } from '../services/removal.ts'

interface Deps {
  appService: AppService
  registration: Registration
  removal: Removal
}

export function appRoutes(app: App, { appService, registration, removal }: Deps) {
  app.get('/ui-plugins', { schema: listApps }, ({ principal, query }) => appService.list(principal, query))

  // Base64 takes a third more than 8 MiB, and the manifest comes along.
  const config = { bodyLimit: 12_582_912, principals: ['user', 'service'] } as const
  app.put('/ui-plugins', { schema: registerApp, config }, async (request, reply) => {
    const { principal, body } = request
    const { app, isNew } = await registration.register(principal, body, ifMatch(request))
    return reply.code(isNew ? 201 : 200).send({ data: app })
  })

  app.get('/ui-plugins/:pluginId', { schema: readApp }, async ({ principal, params }) => {
    return { data: await appService.read(principal, params.pluginId) }
  })

  app.delete('/ui-plugins/:pluginId', { schema: deleteApp }, async (request) => {
    return { data: await removal.remove(request.principal, request.params.pluginId, ifMatch(request)) }
  })

  app.get('/ui-plugins/:pluginId/versions', { schema: listVersions }, ({ principal, params, query }) =>
    appService.listVersions(principal, params.pluginId, query)
  )
}
