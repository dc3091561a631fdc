import Fastify from 'fastify'
import { pino } from 'pino'
import { createLogOptions } from '../../../process/log.ts'
import { thing, thingSchema } from '../thing.ts'
import { answer } from './answers.ts'

// The same reply from Fastify alone: no credential, no scope, no limit, and the same line in the same log.
const log = pino(createLogOptions('info'), pino.destination('/dev/null')).child({}, { redact: [] })
const app = Fastify({ logger: false })
const route = '/v1/things/:thingId'

app.addHook('onResponse', (request, reply, done) => {
  const ms = Math.round(reply.elapsedTime * 100) / 100
  const { method } = request
  log.info(
    { requestId: request.id, method, route, status: reply.statusCode, ms, principal: 'bench' },
    'request'
  )
  done()
})
app.get(route, { schema: thingSchema }, async (request) => {
  const { thingId } = request.params as { thingId: string }
  return { data: thing(thingId) }
})

answer({
  async start() {
    await app.listen({ port: 0, host: '127.0.0.1' })
  },
  address: () => ({ url: `http://127.0.0.1:${(app.server.address() as { port: number }).port}` })
})
