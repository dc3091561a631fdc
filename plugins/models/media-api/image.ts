import type { ImageModelV4 } from '@ai-sdk/provider'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { VendorAccess } from '../providers/api-key-provider.ts'
import { createVendorRequest } from '../providers/vendor-request.ts'

const MAX_BYTES = 134_217_728
const IMAGES = 4

const Reply = Type.Object({ data: Type.Array(Type.Object({ b64_json: Type.String() })) })

/** Images by `POST <address>/images/generations`, as OpenAI and servers like it serve it. */
export function createImageModel(
  modelId: string,
  { modelProvider, ...access }: VendorAccess & { readonly modelProvider: string }
): ImageModelV4 {
  const { post, faults } = createVendorRequest(access, {
    modelProvider,
    modelId,
    path: '/images/generations'
  })
  // Those give nothing else, and refuse to be asked for it.
  const format = /^gpt-image/.test(modelId) ? {} : { response_format: 'b64_json' }

  return {
    specificationVersion: 'v4',
    provider: modelProvider,
    modelId,
    maxImagesPerCall: IMAGES,
    async doGenerate({ prompt = '', n, size, abortSignal }) {
      const body = { model: modelId, prompt, n, size, ...format }
      const { bytes } = await post(body, { maxBytes: MAX_BYTES, signal: abortSignal })
      const images = parsed(bytes.toString()).data.map(({ b64_json }) => Buffer.from(b64_json, 'base64'))
      if (images.length === 0) throw faults.garbled('no image', '')
      return {
        images,
        warnings: [],
        response: { timestamp: new Date(), modelId, headers: undefined }
      }
    }
  }

  function parsed(text: string) {
    let reply: unknown
    try {
      reply = JSON.parse(text)
    } catch {
      throw faults.garbled('something that is no JSON', '')
    }
    if (Value.Check(Reply, reply)) return reply
    throw faults.garbled('something that is no list of images', '')
  }
}
