import type { SpeechModelV4 } from '@ai-sdk/provider'
import type { VendorAccess } from '../providers/vendor.ts'
import { createVendorRequest } from '../providers/vendor-request.ts'

const MAX_BYTES = 67_108_864

/** Speech by `POST <address>/audio/speech`, as OpenAI and servers like it serve it. */
export function createSpeechModel(
  modelId: string,
  { modelProvider, ...access }: VendorAccess & { readonly modelProvider: string }
): SpeechModelV4 {
  const { post, faults } = createVendorRequest(access, { modelProvider, modelId, path: '/audio/speech' })

  return {
    specificationVersion: 'v4',
    provider: modelProvider,
    modelId,
    async doGenerate({ text, voice = 'alloy', outputFormat = 'mp3', instructions, speed, abortSignal }) {
      const body = { model: modelId, input: text, voice, response_format: outputFormat, instructions, speed }
      const { bytes, type } = await post(body, { maxBytes: MAX_BYTES, signal: abortSignal })
      if (bytes.length === 0 || /json|html/.test(type))
        throw faults.garbled('something that is no sound', bytes.toString())
      return { audio: bytes, warnings: [], response: { timestamp: new Date(), modelId } }
    }
  }
}
