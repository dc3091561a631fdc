import { pipeline } from 'node:stream/promises'
import Fastify from 'fastify'
import type { RunBody, RunnerOrder } from '../runners.ts'
import { answer } from './answers.ts'
import { createAsking } from './asking.ts'

// The model's stream as it comes, in front of the same model: nothing is read, nothing is kept.
const app = Fastify()
let asking: ReturnType<typeof createAsking>

app.post('/v1/agents/run/stream', async (request, reply) => {
  const { agentId: model, messages } = request.body as RunBody
  const { body } = await asking.ask({ model, messages, stream: true })
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  await pipeline(body, reply.raw)
})

answer({
  async start({ modelUrl }: RunnerOrder) {
    asking = createAsking(modelUrl)
    await app.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 })
  },
  address: () => ({ url: `http://127.0.0.1:${(app.server.address() as { port: number }).port}` })
})
