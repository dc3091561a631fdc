import type { App, Reply, Request, Streams } from 'agent-platform'
import { ifMatch } from 'agent-platform'
import {
  readComputer,
  readConfig,
  resizeComputer,
  restartComputer,
  sleepComputer,
  updateConfig,
  wakeComputer
} from '../schemas/computers.ts'
import { listEvents } from '../schemas/events.ts'
import type { ComputerService } from '../services/computers.ts'
import { follows } from './follows.ts'

const read = { scope: ['agents:read'] }
const write = { scope: ['agents:write'] }

export function computerRoutes(
  app: App,
  { streams, computerService }: { streams: Streams; computerService: ComputerService }
) {
  const path = '/agents/:agentId/computer'

  app.get(path, { schema: readComputer, config: read }, async ({ principal, params }) => {
    return { data: await computerService.read(principal, params.agentId) }
  })

  app.get(`${path}/config`, { schema: readConfig, config: read }, async ({ principal, params }) => {
    return { data: await computerService.readConfig(principal, params.agentId) }
  })

  app.put(`${path}/config`, { schema: updateConfig, config: write }, async (request) => {
    const { principal, params, body } = request
    return { data: await computerService.updateConfig(principal, params.agentId, body, ifMatch(request)) }
  })

  app.post(`${path}/wake`, { schema: wakeComputer, config: write }, async ({ principal, params }) => {
    return { data: await computerService.wake(principal, params.agentId) }
  })

  app.post(`${path}/sleep`, { schema: sleepComputer, config: write }, async ({ principal, params }) => {
    return { data: await computerService.sleep(principal, params.agentId) }
  })

  app.post(`${path}/restart`, { schema: restartComputer, config: write }, async ({ principal, params }) => {
    return { data: await computerService.restart(principal, params.agentId) }
  })

  app.post(
    `${path}/resize`,
    { schema: resizeComputer, config: write },
    async ({ principal, params, body }) => {
      return { data: await computerService.resize(principal, params.agentId, body) }
    }
  )

  app.get(`${path}/events`, { schema: listEvents, config: read }, async (request, reply) => {
    const { principal, params, query } = request
    if (!follows(request)) return computerService.listEvents(principal, params.agentId, query)
    const served = await computerService.streamOf(principal, params.agentId)
    await streams.serve(request as Request, reply as Reply, served)
    return reply
  })
}
