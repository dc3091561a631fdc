import type { App } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  configureRuntime,
  deployRuntime,
  readRuntime,
  restartRuntime,
  sleepRuntime
} from '../schemas/runtimes.ts'
import type { RuntimeService } from '../services/runtimes.ts'

const read = { scope: ['agents:read'] }
const write = { scope: ['agents:write'] }

export function runtimeRoutes(app: App, { runtimeService }: { runtimeService: RuntimeService }) {
  const path = '/agents/:agentId/runtime'

  app.get(path, { schema: readRuntime, config: read }, async ({ principal, params }) => {
    return { data: await runtimeService.read(principal, params.agentId) }
  })

  app.put(path, { schema: configureRuntime, config: write }, async (request) => {
    const { principal, params, body } = request
    return { data: await runtimeService.configure(principal, params.agentId, body, ifMatch(request)) }
  })

  app.post(`${path}/deploy`, { schema: deployRuntime, config: write }, async ({ principal, params }) => {
    return { data: await runtimeService.deploy(principal, params.agentId) }
  })

  app.post(`${path}/sleep`, { schema: sleepRuntime, config: write }, async ({ principal, params }) => {
    return { data: await runtimeService.sleep(principal, params.agentId) }
  })

  app.post(`${path}/restart`, { schema: restartRuntime, config: write }, async ({ principal, params }) => {
    return { data: await runtimeService.restart(principal, params.agentId) }
  })
}
