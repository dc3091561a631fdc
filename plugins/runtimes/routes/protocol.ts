import type { App, Kernel, Reply, Request } from 'agent-platform'
import { failureTypes } from 'agent-platform'
import { answerTurn, beat, followTurns } from '../schemas/protocol.ts'
import type { Protocol } from '../services/protocol.ts'

const principals = ['agent'] as const

export function protocolRoutes(
  app: App,
  { streams, detach, log, protocol }: Pick<Kernel, 'streams' | 'detach' | 'log'> & { protocol: Protocol }
) {
  const path = '/runtime/agents/:agentId'

  app.get(
    `${path}/processes/:processId/events`,
    { schema: followTurns, config: { principals, endless: true } },
    async (request, reply) => {
      const { principal, params } = request
      const served = await protocol.streamOf(principal, params.agentId, params.processId)
      await streams.serve(request as Request, reply as Reply, served)
      return reply
    }
  )

  app.post(
    `${path}/processes/:processId/beat`,
    { schema: beat, config: { principals, secret: 'credential' } },
    async ({ principal, params, body }) => {
      return { data: await protocol.beat(principal, params.agentId, params.processId, body.capabilities) }
    }
  )

  app.post(
    `${path}/turns/:turnId/events`,
    { schema: answerTurn, config: { principals, body: 'stream', repeats: 'own' } },
    async (request, reply) => {
      const { principal, params } = request
      const turn = await protocol.turnOf(principal, params.agentId, params.turnId)
      reply.hijack()
      const { raw: response } = reply
      const left = new AbortController()
      const say = (status: number, body: object) => {
        if (response.headersSent || response.destroyed) return
        response.writeHead(status, {
          'content-type': 'application/json; charset=utf-8',
          'x-request-id': request.id,
          ...(!request.raw.complete && { connection: 'close' })
        })
        response.end(JSON.stringify(body))
      }
      const refuse = (type: keyof typeof failureTypes, message: string, code?: string) => {
        const it = failureTypes[type]
        say(it.status, { error: { type: it.type, message, ...(code && { code }), requestId: request.id } })
      }
      // It lasts as long as the runtime thinks: no version of the pack waits for it.
      detach(request as Request, () => {
        left.abort()
        refuse('unavailable', 'Send what is not kept yet again', 'answer_cut')
        request.raw.destroy()
      })
      try {
        say(200, { data: await protocol.answer(turn, request.raw, left.signal) })
      } catch (error) {
        const { kind, message, code } = error as { kind?: string; message: string; code?: string }
        const isMeant = kind !== undefined && Object.hasOwn(failureTypes, kind)
        if (isMeant) refuse(kind as keyof typeof failureTypes, message, code)
        else if (left.signal.aborted || request.raw.destroyed) response.destroy()
        else {
          log.error({ err: error, turn: turn.id }, 'An answer of a runtime could not be kept')
          refuse('internal', 'Something went wrong')
        }
      }
      return reply
    }
  )
}
