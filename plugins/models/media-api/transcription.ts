import type { TranscriptionModelV4 } from '@ai-sdk/provider'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { FormData } from 'undici'
import type { VendorAccess } from '../providers/api-key-provider.ts'
import { createVendorRequest } from '../providers/vendor-request.ts'

const MAX_BYTES = 16_777_216

const Reply = Type.Object({
  text: Type.String(),
  language: Type.Optional(Type.Unknown()),
  duration: Type.Optional(Type.Unknown()),
  segments: Type.Optional(
    Type.Array(Type.Object({ text: Type.String(), start: Type.Number(), end: Type.Number() }))
  )
})

/** Text by `POST <address>/audio/transcriptions`, as OpenAI and servers of Whisper serve it. */
export function createTranscriptionModel(
  modelId: string,
  { modelProvider, ...access }: VendorAccess & { readonly modelProvider: string }
): TranscriptionModelV4 {
  const about = { modelProvider, modelId, path: '/audio/transcriptions' }
  const { post, faults } = createVendorRequest(access, about)
  // These tell no segments.
  const format = /^gpt-/.test(modelId) ? 'json' : 'verbose_json'

  return {
    specificationVersion: 'v4',
    provider: modelProvider,
    modelId,
    async doGenerate({ audio, mediaType, providerOptions, abortSignal }) {
      const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio
      const form = new FormData()
      const extension = mediaType.split('/')[1] ?? 'bin'
      form.set(
        'file',
        new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType }),
        `audio.${extension}`
      )
      form.set('model', modelId)
      form.set('response_format', format)
      const { language, prompt, temperature } = (providerOptions?.openai ?? {}) as Record<string, unknown>
      for (const [name, value] of Object.entries({ language, prompt, temperature }))
        if (value !== undefined) form.set(name, String(value))
      const reply = await post(form, { maxBytes: MAX_BYTES, signal: abortSignal })
      const said = parsed(reply.bytes.toString())
      return {
        text: said.text,
        segments: (said.segments ?? []).map(({ text, start, end }) => ({
          text,
          startSecond: start,
          endSecond: end
        })),
        language: typeof said.language === 'string' ? said.language : undefined,
        durationInSeconds: typeof said.duration === 'number' ? said.duration : undefined,
        warnings: [],
        response: { timestamp: new Date(), modelId }
      }
    }
  }

  function parsed(text: string) {
    let reply: unknown
    try {
      reply = JSON.parse(text)
    } catch {
      throw faults.garbled('something that is no JSON', text)
    }
    if (Value.Check(Reply, reply)) return reply
    throw faults.garbled('something that is no transcription', text)
  }
}
