import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { VendorAccess } from '../providers/vendor.ts'
import { createVendorRequest } from '../providers/vendor-request.ts'

/** What one call may hold: most servers take more, some no more. */
const TEXTS = 96
/** Of a reply: 96 vectors of 4,096 numbers as text take about 8 MiB. */
const MAX_BYTES = 16_777_216

const Reply = Type.Object({
  data: Type.Array(
    Type.Object({ index: Type.Optional(Type.Integer()), embedding: Type.Array(Type.Number()) })
  ),
  usage: Type.Optional(Type.Unknown())
})

/** Vectors by `POST <address>/embeddings`, as OpenAI, Ollama, vLLM and LM Studio serve it. */
export function createEmbeddingsModel(
  modelId: string,
  { modelProvider, ...access }: VendorAccess & { readonly modelProvider: string }
): EmbeddingModelV4 {
  const { post, faults } = createVendorRequest(access, { modelProvider, modelId, path: '/embeddings' })

  return {
    specificationVersion: 'v4',
    provider: modelProvider,
    modelId,
    maxEmbeddingsPerCall: TEXTS,
    supportsParallelCalls: true,
    async doEmbed({ values, dimensions, abortSignal }) {
      const asked = { model: modelId, input: values, encoding_format: 'float', dimensions }
      const { bytes } = await post(asked, { maxBytes: MAX_BYTES, signal: abortSignal })
      const { data, usage } = parsed(bytes.toString())
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
