import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * `HEAD`, where no route takes it by itself, is asked of the router again as `GET`. Node sends no body to it whatever
 * is written; the first piece of one without a known length ends the reply, which might have no end otherwise.
 */
export function answerAsGet(app: FastifyInstance, { raw: request }: FastifyRequest, reply: FastifyReply) {
  const { raw: response } = reply
  const end = () => {
    response.end()
    return true
  }
  const { flushHeaders } = response
  response.flushHeaders = () => {
    flushHeaders.call(response)
    end()
  }
  response.write = end
  reply.hijack()
  request.method = 'GET'
  app.routing(request, response)
}
