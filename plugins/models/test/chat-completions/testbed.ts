import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { APICallError } from '@ai-sdk/provider'
import { Agent, buildConnector } from 'undici'
import type { ModelServerOptions } from '../../../../test/model-server.ts'
import { startModelServer } from '../../../../test/model-server.ts'
import type { Part } from '../../chat-completions/reply.ts'
import type { ChatCompletionsOptions } from '../../chat-completions.ts'
import { createChatCompletionsModel } from '../../chat-completions.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export const API_KEY = 'sk-test-0123456789abcdef'

/** Connections that can be looked at. */
export function connections(t: Scope, options: { connections?: number } = {}) {
  const connect = buildConnector({})
  const sockets: Socket[] = []
  const dispatcher = new Agent({
    ...options,
    connect: (to, done) =>
      connect(to, (error, socket) => {
        if (socket) sockets.push(socket)
        done(...((error ? [error, null] : [null, socket]) as [null, Socket]))
      })
  })
  t.teardown(() => dispatcher.destroy())
  return { dispatcher, sockets }
}

/** A model server, and models that it serves. */
export async function testbed(t: Scope, options?: ModelServerOptions & { connections?: number }) {
  const server = await startModelServer(t, options)
  const { dispatcher, sockets } = connections(t, options)
  const model = (modelId: string, other: Partial<ChatCompletionsOptions> = {}) =>
    createChatCompletionsModel(modelId, {
      modelProvider: 'test',
      baseUrl: server.url,
      apiKey: API_KEY,
      dispatcher,
      openai: false,
      ...other
    })
  return { server, model, sockets }
}

/** A server whose every reply is `text`, and its model. */
export async function replying(t: Scope, text: string, headers: Record<string, string> = {}) {
  const { model } = await testbed(t, {
    respond: (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).end(text)
  })
  return model('any')
}

export const prompt = (text: string): LanguageModelV4Prompt => [
  { role: 'user', content: [{ type: 'text', text }] }
]
export const call = (options: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions => ({
  prompt: prompt('Hello there'),
  ...options
})

/** A chunk of a reply. */
export const chunk = (delta: object, finish_reason: string | null = null, other: object = {}) => ({
  id: 'chatcmpl-1',
  created: 1_790_000_000,
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason }],
  ...other
})
export const event = (it: object | string) => `data: ${typeof it === 'string' ? it : JSON.stringify(it)}\n\n`
/** Chunks as the events of a reply, with its end. */
export const events = (...chunks: (object | string)[]) => [...chunks, '[DONE]'].map(event).join('')

export async function readAll(stream: ReadableStream<Part>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

/** What came before a stream failed, and how it did. */
export async function untilFailure(stream: ReadableStream<Part>): Promise<{ parts: Part[]; error: unknown }> {
  const parts: Part[] = []
  try {
    for await (const part of stream) parts.push(part)
  } catch (error) {
    return { parts, error }
  }
  throw new Error('The stream did not fail')
}

export const failureOf = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => {
      throw new Error('It did not fail')
    },
    (error: unknown) => error as APICallError
  )

/** The failure of a call, wherever it shows. */
export async function faultOf(opening: PromiseLike<{ stream: ReadableStream<Part> }>): Promise<APICallError> {
  let error: unknown
  try {
    error = (await untilFailure((await opening).stream)).error
  } catch (thrown) {
    error = thrown
  }
  if (!APICallError.isInstance(error)) throw error
  return error
}

export const text = (parts: readonly Part[]) =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

/** What `numbered=1` says. */
export const numbered = (tokens: number) => Array.from({ length: tokens }, (_, i) => `t${i} `).join('')

/** Deltas beside each other as one: where they are cut depends on when bytes arrive. */
export function joined(parts: readonly Part[]): Part[] {
  const whole: Part[] = []
  for (const part of parts) {
    const last = whole.at(-1)
    if ('delta' in part && last && 'delta' in last && last.type === part.type && last.id === part.id)
      whole[whole.length - 1] = { ...last, delta: last.delta + part.delta } as Part
    else whole.push(part)
  }
  return whole
}

/** Writes as much as is taken, and says when nothing more is. */
export async function flood(response: ServerResponse, event: string, limit: number) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let written = 0
  while (written < limit && !response.destroyed) {
    written++
    // Every write in a turn of its own, so that the reader has all the time to do so.
    if (response.write(event)) await new Promise(setImmediate)
    else return written
  }
  return written
}

/** What a call sends, and what it warns of. */
export async function sent(
  t: Scope,
  options: Partial<LanguageModelV4CallOptions>,
  other?: Partial<ChatCompletionsOptions>
) {
  const { server, model } = await testbed(t)
  const parts = await readAll((await model('mock?tokens=1', other).doStream(call(options))).stream)
  const [request] = server.requests
  return { ...request, body: request?.body, warnings: parts[0]?.type === 'stream-start' && parts[0].warnings }
}
