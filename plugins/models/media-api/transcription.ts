import type { TranscriptionModelV4 } from '@ai-sdk/provider'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { FormData } from 'undici'
import type { VendorAccess } from '../providers/vendor.ts'
import { createVendorRequest } from '../providers/vendor-request.ts'

const MAX_BYTES = 16_777_216

const Reply = Type.Object({
  text: Type.String(),
  language: Type.Optional(Type.Unknown()),
  duration: Type.Optional(Type.Unknown()),
  segments: Type.Optional(Type.Unknown())
})
const Segment = Type.Object({ text: Type.String(), start: Type.Number(), end: Type.Number() })

/** Text by `POST <address>/audio/transcriptions`, as OpenAI and servers of Whisper serve it. */
export function createTranscriptionModel(
  modelId: string,
  { modelProvider, ...access }: VendorAccess & { readonly modelProvider: string }
): TranscriptionModelV4 {
  const about = { modelProvider, modelId, path: '/audio/transcriptions' }
  const { postWithout, faults } = createVendorRequest(access, about)
  // These tell no segments.
  const format = /^gpt-/.test(modelId) ? 'json' : 'verbose_json'

  return {
    specificationVersion: 'v4',
    provider: modelProvider,
    modelId,
    async doGenerate({ audio, mediaType, providerOptions, abortSignal }) {
      const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio
      const extension = mediaType.split('/')[1] ?? 'bin'
      const file = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mediaType })
      const { language, prompt, temperature } = (providerOptions?.openai ?? {}) as Record<string, unknown>
      const optional = Object.entries({ response_format: format, language, prompt, temperature }).filter(
        ([, value]) => value !== undefined
      )
      const reply = await postWithout(
        (isLeftOut) => {
          const form = new FormData()
          form.set('file', file, `audio.${extension}`)
          form.set('model', modelId)
          for (const [name, value] of optional) if (!isLeftOut(name)) form.set(name, String(value))
          return form
        },
        optional.map(([name]) => name),
        { maxBytes: MAX_BYTES, signal: abortSignal }
      )
      const said = parsed(reply.bytes.toString(), reply.type)
      return {
        text: said.text,
        segments: segmentsOf(said.segments).map(({ text, start, end }) => ({
          text,
          startSecond: start,
          endSecond: end
        })),
        language: typeof said.language === 'string' ? said.language : undefined,
        durationInSeconds: secondsOf(said.duration),
        warnings: [],
        response: { timestamp: new Date(), modelId }
      }
    }
  }

  function parsed(text: string, type: string): Static<typeof Reply> {
    let reply: unknown
    try {
      reply = JSON.parse(text)
    } catch {
      // The text itself, from servers that know no other format.
      if (type.startsWith('text/plain') && text.trim() !== '') return { text: text.trim() }
      throw faults.garbled('something that is no JSON', text)
    }
    if (Value.Check(Reply, reply)) return reply
    throw faults.garbled('something that is no transcription', text)
  }
}

/** What beside the text does not have the expected form is left out: the text is what counts. */
const segmentsOf = (segments: unknown) =>
  (Array.isArray(segments) ? segments : []).filter((it) => Value.Check(Segment, it))

function secondsOf(duration: unknown): number | undefined {
  const seconds = typeof duration === 'string' && duration.trim() !== '' ? Number(duration) : duration
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}
