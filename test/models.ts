import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { Models } from '../plugins/models/contract.ts'
import type { Booted } from './boot.ts'
import { service } from './loopback.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Undefined where there was none, or no JSON. */
  readonly body: Readonly<Record<string, unknown>> | undefined
}

/** A model's server on loopback; `asked` are the requests that came, oldest first. */
export async function modelServer(t: Scope, handle: (reply: ServerResponse, asked: Asked) => void) {
  const asked: Asked[] = []
  const { url, host } = await service(t, (reply, { body, ...request }) => {
    const one = { ...request, body: body.startsWith('{') ? JSON.parse(body) : undefined }
    asked.push(one)
    handle(reply, one)
  })
  return { url, host, asked }
}

/** Server-sent events, with names where they have a `type`. */
export function events(reply: ServerResponse, all: readonly object[]) {
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const data of all)
    reply.write(`${'type' in data ? `event: ${data.type}\n` : ''}data: ${JSON.stringify(data)}\n\n`)
  reply.end()
}

/** The service as other packs have it. */
export function modelsOf({ platform }: Booted): Models {
  const deps = platform.server.current().packs.get('models')?.deps
  if (!deps) throw new Error('models does not run')
  const { modelService, explanations, embeddingModels, mediaModels } = deps as Record<string, object>
  return { ...modelService, ...explanations, ...embeddingModels, ...mediaModels } as Models
}

export const asking = (question: string): Pick<LanguageModelV4CallOptions, 'prompt'> => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: question }] }]
})

/** The parts of a streamed reply. */
export async function replyOf(model: LanguageModelV4, options: LanguageModelV4CallOptions) {
  const { stream } = await model.doStream(options)
  return Array.fromAsync(stream)
}
