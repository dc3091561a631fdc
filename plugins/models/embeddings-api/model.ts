import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { readCapped } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Dispatcher } from 'undici'
import { request } from 'undici'
import { createFaults } from '../chat-completions/faults.ts'
import type { VendorAccess } from '../providers/api-key-provider.ts'

/** What one call may hold: most servers take more, some no more. */
const TEXTS = 96
/** Of a reply: 96 vectors of 4,096 numbers as text take about 8 MiB. */
const MAX_BYTES = 16_777_216
const REFUSAL_BYTES = 65_536

const Reply = Type.Object({
  data: Type.Array(
    Type.Object({ index: Type.Optional(Type.Integer()), embedding: Type.Array(Type.Number()) })
  ),
  usage: Type.Optional(Type.Unknown())
})

/** Vectors by `POST <address>/embeddings`, as OpenAI, Ollama, vLLM and LM Studio serve it. */
export function createEmbeddingsModel(
  modelId: string,
  { modelProvider, baseUrl, apiKey, dispatcher }: VendorAccess & { readonly modelProvider: string }
): EmbeddingModelV4 {
  const url = `${baseUrl}/embeddings`
  const faults = createFaults({ modelProvider, modelId, url, secrets: apiKey === undefined ? [] : [apiKey] })

  async function ask(body: string, signal: AbortSignal | undefined): Promise<Dispatcher.ResponseData> {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` })
    }
    try {
      return await request(url, { dispatcher, method: 'POST', headers, body, signal: signal ?? null })
    } catch (error) {
      signal?.throwIfAborted()
      throw 'kind' in (error as object) ? error : faults.unreachable(error as Error)
    }
  }

  async function read({ body }: Dispatcher.ResponseData, most: number, signal: AbortSignal | undefined) {
    try {
      const { bytes, cut } = await readCapped(body, most)
      return { text: bytes.toString(), cut }
    } catch (error) {
      signal?.throwIfAborted()
      throw faults.cut(error as Error)
    }
  }

  return {
    specificationVersion: 'v4',
    provider: modelProvider,
    modelId,
    maxEmbeddingsPerCall: TEXTS,
    supportsParallelCalls: true,
    async doEmbed({ values, dimensions, abortSignal }) {
      const asked = { model: modelId, input: values, encoding_format: 'float', dimensions }
      const reply = await ask(JSON.stringify(asked), abortSignal)
      const isGood = reply.statusCode === 200
      const { text, cut } = await read(reply, isGood ? MAX_BYTES : REFUSAL_BYTES, abortSignal)
      if (!isGood) throw faults.status(reply.statusCode, reply.headers, text)
      if (cut) throw faults.garbled('more than 16 MiB of vectors', '')
      const { data, usage } = parsed(text)
      const embeddings: number[][] = []
      for (const [at, { index = at, embedding }] of data.entries()) embeddings[index] = embedding
      if (embeddings.length !== values.length || Object.keys(embeddings).length !== values.length)
        throw faults.garbled(`${data.length} vectors for ${values.length} texts`, '')
      const tokens = Object(usage).prompt_tokens
      return { embeddings, warnings: [], ...(Number.isSafeInteger(tokens) && { usage: { tokens } }) }
    }
  }

  function parsed(text: string): Static<typeof Reply> {
    let reply: unknown
    try {
      reply = JSON.parse(text)
    } catch {
      throw faults.garbled('something that is no JSON', text)
    }
    if (Value.Check(Reply, reply)) return reply
    const { error } = Object(reply)
    throw error ? faults.told(error, text) : faults.garbled('something that is no list of vectors', text)
  }
}
