import type { App, Request, SchemaCheck } from 'agent-platform'
import { Closed, closed, compileSchema, invalid, parseJson, readForm, unsupportedMedia } from 'agent-platform'
import type { TranscriptionOptions } from '../schemas.ts'
import { OfFile, Options, transcribe } from '../schemas.ts'
import type { AudioService, Heard } from '../service.ts'
import type { AudioSettings } from '../settings.ts'
import { srt, vtt } from '../subtitles.ts'

/** The recording and what may stand beside it. */
const PARTS = 8
const types = { text: 'text/plain', srt: 'application/x-subrip', vtt: 'text/vtt' } as const
const JSON_BYTES = 65_536
const orderFault = compileSchema(OfFile)
const optionsFault = compileSchema(Closed(Options))

interface Deps {
  settings: AudioSettings
  audioService: AudioService
}
type Order = TranscriptionOptions & ({ readonly fileId: string } | { readonly file: File })

export function transcriptionRoutes(app: App, { settings, audioService }: Deps) {
  app.post(
    '/audio/transcriptions',
    {
      schema: transcribe,
      config: {
        body: 'raw',
        bodyLimit: settings.audioBytes + JSON_BYTES,
        failures: ['upstream', 'upstreamTimeout', 'paymentRequired']
      }
    },
    async (request, reply) => {
      const { principal } = request
      const order = await orderOf(request)
      const recording =
        'fileId' in order
          ? await audioService.bytesOf(principal, order.fileId)
          : { bytes: new Uint8Array(await order.file.arrayBuffer()), mediaType: order.file.type }
      const heard = await audioService.transcribe(principal, recording, order, closed(reply))
      const format = order.response_format ?? 'json'
      if (format === 'text' || format === 'srt' || format === 'vtt')
        return reply.type(`${types[format]}; charset=utf-8`).send(written(format, heard) as never)
      const { text, modelProvider, modelId, language, duration, segments } = heard
      const about = { text, modelProvider, modelId }
      if (format === 'json') return { data: about }
      const numbered = segments.map((segment, id) => ({ id, ...segment }))
      return { data: { ...about, language, duration, segments: numbered } }
    }
  )
}

const written = (format: 'text' | 'srt' | 'vtt', { text, segments }: Heard): string =>
  format === 'text' ? `${text}\n` : format === 'srt' ? srt(segments) : vtt(segments)

async function orderOf({ headers, body }: Request): Promise<Order> {
  const type = headers['content-type'] ?? ''
  const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0)
  if (/^application\/json\b/i.test(type)) {
    if (bytes.length > JSON_BYTES) throw invalid('', 'The body is too large for JSON')
    return checked(orderFault, parseJson(bytes))
  }
  if (!/^multipart\/form-data\b/i.test(type))
    throw unsupportedMedia('The body must be multipart/form-data, or JSON with a fileId')
  const form = await readForm(type, bytes, PARTS)
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) {
    if (name in fields) throw invalid(`/${name}`, `/${name} is there twice`)
    fields[name] = name === 'temperature' && typeof value === 'string' ? Number(value) : value
  }
  const { file, ...options } = fields
  if (file === undefined) throw invalid('/file', '/file is required')
  if (typeof file === 'string') throw invalid('/file', '/file is not a file')
  return { ...checked(optionsFault, options), file: file as File }
}

function checked<T>(check: SchemaCheck, value: unknown): T {
  const fault = check(value)
  if (fault) throw invalid(fault.at, `${fault.at || 'The body'} ${fault.text}`)
  return value as T
}
