import type { App, Reply, Request, Streams } from 'agent-platform'
import { notFound } from 'agent-platform'
import { cancelCommand, execCommand, listCommands, queueCommand, readCommand } from '../schemas/commands.ts'
import type { CommandService } from '../services/commands.ts'
import { commandField } from '../services/performing.ts'
import { follows } from './follows.ts'

const read = { scope: ['agents:read'] }
const write = { scope: ['agents:write'], bodyLimit: 4_194_304 }

export function commandRoutes(
  app: App,
  { streams, commandService }: { streams: Streams; commandService: CommandService }
) {
  const path = '/agents/:agentId/computer'

  app.post(`${path}/exec`, { schema: execCommand, config: write }, async (request, reply) => {
    const { principal, params, body } = request
    if (!follows(request)) return { data: await commandService.exec(principal, params.agentId, body) }
    const served = await commandService.stream(principal, params.agentId, body)
    // Of a stream that begins now nothing can have been received.
    delete request.headers['last-event-id']
    await streams.serve(request as Request, reply as Reply, served)
    return reply
  })

  app.post(
    `${path}/commands`,
    { schema: queueCommand, config: write },
    async ({ principal, params, body }, reply) => {
      return reply.code(201).send({ data: await commandService.queue(principal, params.agentId, body) })
    }
  )

  app.get(`${path}/commands`, { schema: listCommands, config: read }, ({ principal, params, query }) =>
    commandService.list(principal, params.agentId, query)
  )

  app.get(`${path}/commands/:commandId`, { schema: readCommand, config: read }, async (request, reply) => {
    const { principal, params } = request
    const data = await commandService.read(principal, params.agentId, params.commandId)
    if (!follows(request)) return { data }
    const { project } = principal
    if (!(await streams.state(project, data.id))) throw notFound('Stream of the command')
    await streams.serve(request as Request, reply as Reply, {
      project,
      stream: data.id,
      idField: commandField
    })
    return reply
  })

  app.post(
    `${path}/commands/:commandId/cancel`,
    { schema: cancelCommand, config: write },
    async ({ principal, params }) => ({
      data: await commandService.cancel(principal, params.agentId, params.commandId)
    })
  )
}
