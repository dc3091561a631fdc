import { EventEmitter, once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { ChatBody, Script } from './model-server/script.ts'
import { lastOfUser, parseScript, speech } from './model-server/script.ts'
import { stream } from './model-server/stream.ts'
import { sendJson, whole } from './model-server/whole.ts'

export type { ChatBody } from './model-server/script.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export interface ModelRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: ChatBody
}

type Answer = Partial<Script> | undefined | void

export interface ModelServerOptions {
  /**
   * Asked before each completion. Answers itself, or says what is different from the script that the model's name
   * holds.
   */
  readonly respond?: (request: ModelRequest, response: ServerResponse) => Answer | Promise<Answer>
  /** How many requests are kept, the latest ones; default 1,000. */
  readonly keep?: number
}

export interface ModelServer {
  /** Ends in `/v1`. */
  readonly url: string
  readonly requests: readonly ModelRequest[]
  readonly stats: { requests: number; streams: number; tokens: number; active: number; left: number }
  /** `request`: one has arrived whole; `left`: a client closed its connection before its answer was finished. */
  readonly events: EventEmitter<{ request: [ModelRequest]; left: [] }>
  close(): Promise<void>
}

/** A model behind HTTP as OpenAI's are, which says and breaks what the model's name asks for; see `Script`. */
export async function startModelServer(
  scope: Scope,
  { respond, keep = 1000 }: ModelServerOptions = {}
): Promise<ModelServer> {
  const stats = { requests: 0, streams: 0, tokens: 0, active: 0, left: 0 }
  const requests: ModelRequest[] = []
  const events: ModelServer['events'] = new EventEmitter()
  /** How often something was asked: by its run for faults, by all of it for wandering. */
  const asked = new Map<string, number>()
  const cut = new WeakSet<ServerResponse>()
  const before = (key: string) => {
    const count = asked.get(key) ?? 0
    asked.set(key, count + 1)
    return count
  }

  async function complete(request: ModelRequest, response: ServerResponse) {
    const { body } = request
    const parsed = parseScript(body.model)
    const different = await respond?.(request, response)
    if (response.headersSent || response.destroyed) return
    const run = `run ${parsed.run ?? `${body.model} ${lastOfUser(body.messages)}`}`
    const faulty = parsed.times === undefined || before(run) < parsed.times
    const script: Script = { ...parsed, ...(!faulty && { faults: {} }), ...different }
    const { faults, tools, ttft } = script
    const repeated = script.wander === undefined ? 0 : before(JSON.stringify(body.messages))
    const number = stats.requests
    const calls = body.tools?.length && body.messages.at(-1)?.role !== 'tool' ? tools : []
    const reply = {
      id: `chatcmpl-${number}`,
      body,
      script,
      speech: speech(script, body.messages, repeated),
      calls: calls.map(({ name, args }, i) => ({
        id: `call_${number}_${i}`,
        name,
        args: faults.badArgs ? '{"unfinished": ' : args
      })),
      said: (tokens: number) => void (stats.tokens += tokens),
      cut() {
        cut.add(response)
        response.socket?.destroy()
      }
    }
    if (ttft > 0) await wait(ttft)
    if (faults.hang === 'headers') return
    if (faults.status !== undefined) {
      const error = {
        message: `Scripted ${faults.status}`,
        type: 'scripted_error',
        code: `code_${faults.status}`
      }
      const header = faults.retryAfter === undefined ? undefined : { 'retry-after': faults.retryAfter }
      return sendJson(response, faults.status, { error }, header)
    }
    if (!body.stream) return whole(response, reply)
    stats.streams++
    await stream(response, reply)
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse) {
    const { method, url: path = '', headers } = incoming
    if (method === 'GET' && path === '/v1/models')
      return sendJson(response, 200, {
        object: 'list',
        data: [{ id: 'mock', object: 'model', owned_by: 'test' }]
      })
    if (method !== 'POST' || !path.startsWith('/v1/chat/completions'))
      return sendJson(response, 404, { error: { message: 'No such address', type: 'not_found' } })
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece)
    const request = { path, headers, body: JSON.parse(Buffer.concat(pieces).toString()) as ChatBody }
    stats.requests++
    stats.active++
    response.once('close', () => {
      stats.active--
      if (response.writableFinished || cut.has(response)) return
      stats.left++
      events.emit('left')
    })
    if (keep > 0 && requests.push(request) > keep) requests.shift()
    events.emit('request', request)
    await complete(request, response)
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, response) => {
    serve(incoming, response).catch((error) => {
      if (response.headersSent) return response.destroy()
      sendJson(response, 400, { error: { message: String(error), type: 'invalid_request_error' } })
    })
  })
  await once(server.listen({ port: 0, host: '127.0.0.1', backlog: 8192 }), 'listening')
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections())
  scope.teardown(close)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    stats,
    events,
    close
  }
}
