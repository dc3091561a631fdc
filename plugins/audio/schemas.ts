import { Closed, Data, OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'

export const formats = ['json', 'text', 'verbose_json', 'srt', 'vtt'] as const
const Format = Type.Enum([...formats], {
  default: 'json',
  description: '`text`, `srt` and `vtt` are answered as text, without an envelope'
})

const Segment = Type.Object(
  {
    id: Type.Integer(),
    start: Type.Number({ description: 'In seconds' }),
    end: Type.Number({ description: 'In seconds' }),
    text: Type.String()
  },
  { title: 'TranscriptionSegment' }
)
const Transcription = Type.Object(
  {
    text: Type.String(),
    modelProvider: Type.String(),
    modelId: Type.String(),
    language: Type.Optional(OrNull(Type.String({ description: 'As the model tells it; null: unknown' }))),
    duration: Type.Optional(OrNull(Type.Number({ description: 'In seconds; null: unknown' }))),
    segments: Type.Optional(Type.Array(Segment))
  },
  { title: 'Transcription', description: '`language`, `duration` and `segments` are those of `verbose_json`' }
)
export const Options = {
  model: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Default: the model of the project' })
  ),
  language: Type.Optional(Type.String({ pattern: '^[a-z]{2,3}$', description: 'A hint; ISO 639' })),
  prompt: Type.Optional(Type.String({ maxLength: 2_000, description: 'A hint: names and words to expect' })),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  response_format: Type.Optional(Format)
}
/** A recording that is a file already; else it stands in the field `file` beside the options. */
export const OfFile = Closed({ fileId: Type.String(), ...Options })
export type TranscriptionOptions = Omit<Static<typeof OfFile>, 'fileId'>
export type Transcription = Static<typeof Transcription>

const tags = ['audio']
const text = { schema: Type.String() }

export const transcribe = {
  tags,
  summary: 'Transcribe audio',
  description:
    'Takes `multipart/form-data` with a recording (WAV, MP3, OGG or WebM) in the field `file`, or JSON with the `fileId` of ' +
    'one that was uploaded; beside it `model`, `language`, `prompt`, `temperature` and `response_format` (`json`, `text`, ' +
    '`verbose_json`, `srt`, `vtt`), as OpenAI has them. ' +
    'Written down by what serves `transcription` in the project; built in is a model of English.',
  consumes: ['multipart/form-data', 'application/json'],
  response: {
    200: {
      content: {
        'application/json': { schema: Data(Transcription) },
        'text/plain': text,
        'text/vtt': text,
        'application/x-subrip': text
      }
    },
    404: {},
    413: {},
    415: {},
    503: {}
  }
}

const Voice = Type.Object(
  {
    id: Type.String({ examples: ['en-gb'] }),
    name: Type.String(),
    languages: Type.Array(Type.String(), { description: 'BCP 47; empty: any' }),
    modelProvider: Type.String(),
    modelId: Type.String()
  },
  { title: 'Voice' }
)
export const listVoices = {
  tags,
  summary: 'List text-to-speech voices',
  description: 'Of what serves `speech` in the project; 503 where nothing does.',
  querystring: Type.Object({
    ...Paging,
    language: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', description: 'Only those that speak it' })
    )
  }),
  response: { 200: Page(Voice), 503: {} }
}

const SpeechFile = Type.Object(
  {
    id: Type.String({ description: 'The file' }),
    name: Type.String(),
    mediaType: Type.String({ examples: ['audio/wav'] }),
    size: Type.Integer({ description: 'In bytes' }),
    sha256: Type.String(),
    url: Type.String({ examples: ['/v1/files/file_01k4qz0000e0080000000000ab/content'] }),
    createdAt: Time,
    modelProvider: Type.String(),
    modelId: Type.String(),
    voice: OrNull(Type.String())
  },
  { title: 'SpeechFile' }
)
export const SpeechOrder = Closed({
  text: Type.String({ minLength: 1, maxLength: 20_000, pattern: '\\S' }),
  voice: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The id of a voice' })),
  format: Type.Optional(
    Type.Enum(['wav', 'mp3', 'opus', 'flac'], { description: 'Default: the usual format of the model' })
  ),
  speed: Type.Optional(Type.Number({ minimum: 0.5, maximum: 2, default: 1 })),
  agentId: Type.Optional(Type.String({ description: 'Whose owner gets the file; left out: the caller’s' }))
})
export type SpeechOrder = Static<typeof SpeechOrder>
export type SpeechFile = Static<typeof SpeechFile>

export const speak = {
  tags,
  summary: 'Speak a text',
  description: 'By what serves `speech` in the project, into a file.',
  body: SpeechOrder,
  response: { 201: Data(SpeechFile), 404: {}, 503: {} }
}
