import type { App, Reply, Request, Streams } from 'agent-platform'
import { closed, parseJson } from 'agent-platform'
import type { Agents } from '../../agents/contract.ts'
import { rpcError } from '../protocol/errors.ts'
import { plainView } from '../protocol/updates.ts'
import { callAgent, followTask, listTasks } from '../schemas/tasks.ts'
import type { Exchange, Rpc } from '../services/rpc.ts'
import type { TaskViews } from '../services/task-views.ts'
import type { PeerTaskService } from '../services/tasks.ts'

interface Deps {
  streams: Streams
  agents: Agents
  rpc: Rpc
  peerTaskService: PeerTaskService
  taskViews: TaskViews
}

/** Room for files of 10 MiB in base64. */
const MOST_BYTES = 15_000_000

export function peerTaskRoutes(app: App, { streams, agents, rpc, peerTaskService, taskViews }: Deps) {
  app.get('/a2a/:agentId/tasks', { schema: listTasks }, ({ principal, params, query }) =>
    peerTaskService.list(principal, params.agentId, query)
  )

  app.get('/a2a/:agentId/tasks/:taskId/stream', { schema: followTask }, async (request, reply) => {
    const { principal, params, query, headers } = request
    const task = await peerTaskService.follow(principal, params.agentId, params.taskId)
    const after = Number(query.after ?? (headers['last-event-id'] || -1))
    const { project, id: stream } = task
    const view = plainView(task, after, () => taskViews.filesAtEnd(task))
    await streams.serve(request as Request, reply as Reply, { project, stream, idField: 'taskId', view })
    return reply
  })

  app.post(
    '/a2a/:agentId',
    { schema: callAgent, config: { body: 'raw', bodyLimit: MOST_BYTES, repeats: 'own' } },
    async (request, reply) => {
      const { principal: by, params, headers, body } = request
      const { agentId } = params
      await agents.profile(by, agentId, 'run')
      const message = parsed(body as Buffer | undefined)
      if (message instanceof Error)
        return reply.send({ jsonrpc: '2.0', id: null, error: rpcError('PARSE_ERROR', message.message) })
      const exchange: Exchange = {
        by,
        agentId,
        version: headers['a2a-version']?.toString(),
        key: headers['idempotency-key']?.toString(),
        lastEventId: headers['last-event-id']?.toString(),
        leave: closed(reply)
      }
      const answer = await rpc.answer(exchange, message)
      if ('body' in answer) return reply.type('application/json; charset=utf-8').send(answer.body)
      await streams.serve(request as Request, reply as Reply, { ...answer.stream, idField: 'taskId' })
      return reply
    }
  )
}

function parsed(body: Buffer | undefined): unknown {
  try {
    return parseJson(body ?? Buffer.alloc(0))
  } catch (error) {
    return error
  }
}
