import fastifyStatic from '@fastify/static'
import Fastify from 'fastify'
import { pino } from 'pino'
import { createLogOptions } from '../../../process/log.ts'
import { answer } from './answers.ts'

// The same files from `@fastify/static` alone, with the same line in the same log.
const log = pino(createLogOptions('info'), pino.destination('/dev/null')).child({}, { redact: [] })
const app = Fastify({ logger: false })

app.addHook('onResponse', (request, reply, done) => {
  const ms = Math.round(reply.elapsedTime * 100) / 100
  const { method } = request
  log.info({ requestId: request.id, method, route: '/*', status: reply.statusCode, ms }, 'request')
  done()
})

answer({
  async start({ root }: { root: string }) {
    await app.register(fastifyStatic, { root })
    await app.listen({ port: 0, host: '127.0.0.1' })
  },
  address: () => ({ url: `http://127.0.0.1:${(app.server.address() as { port: number }).port}` })
})
