import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { ModelServer } from '../../model-server.ts'
import { startModelServer } from '../../model-server.ts'
import { monotonic } from '../callers.ts'
import { mannerOf } from '../models.ts'
import { answer } from './answers.ts'

/** Says the time in each token: what the caller sees of it is how long the token was on its way. */
async function tellTime(response: ServerResponse, tokens: number, delay: number): Promise<void> {
  const frame = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let said = 0; said < tokens && !response.destroyed; said++) {
    if (said > 0) await wait(delay)
    response.write(frame({ content: `${monotonic()} ` }, null))
  }
  response.end(`${frame({}, 'stop')}data: [DONE]\n\n`)
}

let server: ModelServer

answer({
  async start() {
    server = await startModelServer(
      { teardown() {} },
      {
        keep: 0,
        async respond({ body }, response) {
          const { tokens, delay = 0, stamped } = mannerOf(body.model)
          if (stamped) await tellTime(response, tokens, delay)
        }
      }
    )
  },
  address: () => ({ url: server.url }),
  counts: () => ({ requests: server.stats.requests, tokens: server.stats.tokens })
})
