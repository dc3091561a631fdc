import type { ImageModelV4 } from '@ai-sdk/provider'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { VendorAccess } from '../providers/vendor.ts'
import { createVendorRequest } from '../providers/vendor-request.ts'

const MAX_BYTES = 134_217_728
const IMAGES = 4

const Reply = Type.Object({
  data: Type.Array(
    Type.Object({ b64_json: Type.Optional(Type.Unknown()), url: Type.Optional(Type.Unknown()) })
  )
})
type Given = Static<typeof Reply>['data'][number]

/** Images by `POST <address>/images/generations`, as OpenAI and servers like it serve it. */
export function createImageModel(
  modelId: string,
  { modelProvider, ...access }: VendorAccess & { readonly modelProvider: string }
): ImageModelV4 {
  const { postWithout, fetch, faults } = createVendorRequest(access, {
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
      const limits = { maxBytes: MAX_BYTES, signal: abortSignal }
      const optional = { n, size, ...format }
      const { bytes } = await postWithout(
        (isLeftOut) => ({
          ...{ model: modelId, prompt },
          ...Object.fromEntries(Object.entries(optional).filter(([name]) => !isLeftOut(name)))
        }),
        Object.keys(optional),
        limits
      )
      const images: Buffer[] = []
      for (const given of parsed(bytes.toString()).data.slice(0, n)) images.push(await bytesOf(given, limits))
      if (images.length === 0) throw faults.garbled('no image', '')
      return {
        images,
        warnings: [],
        response: { timestamp: new Date(), modelId, headers: undefined }
      }
    }
  }

  /** In the reply, or at an address. */
  async function bytesOf(
    { b64_json: text, url }: Given,
    limits: Parameters<typeof fetch>[1]
  ): Promise<Buffer> {
    if (typeof text === 'string' && text !== '') return Buffer.from(withoutPrefix(text), 'base64')
    if (typeof url !== 'string') throw faults.garbled('an image that is neither bytes nor an address', '')
    return url.startsWith('data:') ? Buffer.from(withoutPrefix(url), 'base64') : fetch(url, limits)
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

/** Some servers give a `data:` URL in place of base64. */
const withoutPrefix = (text: string) => (text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text)
