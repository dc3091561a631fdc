import type { EmbeddingModelInfo, InputModality, MediaModelInfo, ModelInfo, Voice } from './contract.ts'

type Row = readonly [modelId: string, name: string, contextTokens: number, outputTokens: number]

/** What all of them take, and others of these vendors are believed to. */
export const seeing: readonly InputModality[] = ['text', 'image']

const listed = (rows: readonly Row[]): readonly ModelInfo[] =>
  rows.map(([modelId, name, contextTokens, outputTokens]) => {
    return { modelId, name, contextTokens, outputTokens, inputModalities: seeing }
  })

// Sizes are what the vendors published until November 2026. The first of each list is that provider's default.

/** Not the newest as the default: that one takes tools over chat completions without being told not to reason. */
export const openaiModels = listed([
  ['gpt-5.4-mini', 'GPT-5.4 mini', 400_000, 128_000],
  ['gpt-5.4', 'GPT-5.4', 1_050_000, 128_000],
  ['gpt-5.4-nano', 'GPT-5.4 nano', 400_000, 128_000],
  ['gpt-6-astra', 'GPT-6 Astra', 1_050_000, 128_000],
  ['gpt-6.1-sol', 'GPT-6.1 Sol', 1_050_000, 128_000],
  ['gpt-6-sol', 'GPT-6 Sol', 1_050_000, 128_000],
  ['gpt-6-luna', 'GPT-6 Luna', 1_050_000, 128_000],
  ['gpt-5.6-sol', 'GPT-5.6 Sol', 1_050_000, 128_000],
  ['gpt-5.6-terra', 'GPT-5.6 Terra', 1_050_000, 128_000],
  ['gpt-5.6-luna', 'GPT-5.6 Luna', 1_050_000, 128_000],
  ['gpt-5.5', 'GPT-5.5', 1_050_000, 128_000],
  ['gpt-5.2', 'GPT-5.2', 400_000, 128_000],
  ['gpt-5.1', 'GPT-5.1', 400_000, 128_000],
  ['gpt-5', 'GPT-5', 400_000, 128_000],
  ['gpt-5-mini', 'GPT-5 mini', 400_000, 128_000],
  ['gpt-5-nano', 'GPT-5 nano', 400_000, 128_000],
  ['gpt-4.1', 'GPT-4.1', 1_047_576, 32_768],
  ['gpt-4.1-mini', 'GPT-4.1 mini', 1_047_576, 32_768],
  ['gpt-4.1-nano', 'GPT-4.1 nano', 1_047_576, 32_768],
  ['gpt-4o', 'GPT-4o', 128_000, 16_384],
  ['gpt-4o-mini', 'GPT-4o mini', 128_000, 16_384],
  ['o3', 'o3', 200_000, 100_000],
  ['o4-mini', 'o4-mini', 200_000, 100_000]
])

export const anthropicModels = listed([
  ['claude-sonnet-5-5', 'Claude Sonnet 5.5', 1_000_000, 128_000],
  ['claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, 128_000],
  ['claude-haiku-5-5', 'Claude Haiku 5.5', 1_000_000, 128_000],
  ['claude-fable-5-1', 'Claude Fable 5.1', 1_000_000, 128_000],
  ['claude-opus-5', 'Claude Opus 5', 1_000_000, 128_000],
  ['claude-sonnet-5', 'Claude Sonnet 5', 1_000_000, 128_000],
  ['claude-opus-4-8', 'Claude Opus 4.8', 1_000_000, 128_000],
  ['claude-opus-4-7', 'Claude Opus 4.7', 1_000_000, 128_000],
  ['claude-opus-4-6', 'Claude Opus 4.6', 1_000_000, 128_000],
  ['claude-sonnet-4-6', 'Claude Sonnet 4.6', 1_000_000, 128_000],
  ['claude-opus-4-5', 'Claude Opus 4.5', 200_000, 64_000],
  ['claude-sonnet-4-5', 'Claude Sonnet 4.5', 200_000, 64_000],
  ['claude-haiku-4-5', 'Claude Haiku 4.5', 200_000, 64_000],
  ['claude-opus-4-1', 'Claude Opus 4.1', 200_000, 32_000]
])

export const googleModels = listed([
  ['gemini-3.8-flash', 'Gemini 3.8 Flash', 1_048_576, 65_536],
  ['gemini-4-argon', 'Gemini 4 Argon', 1_048_576, 65_536],
  ['gemini-3.5-flash', 'Gemini 3.5 Flash', 1_048_576, 65_536],
  ['gemini-3.1-pro-preview', 'Gemini 3.1 Pro (preview)', 1_048_576, 65_536],
  ['gemini-3-flash-preview', 'Gemini 3 Flash (preview)', 1_048_576, 65_536],
  ['gemini-2.5-pro', 'Gemini 2.5 Pro', 1_048_576, 65_536],
  ['gemini-2.5-flash', 'Gemini 2.5 Flash', 1_048_576, 65_536],
  ['gemini-2.5-flash-lite', 'Gemini 2.5 Flash-Lite', 1_048_576, 65_536]
])

/** As large as vectors are unless fewer dimensions are asked for, which is never done here. */
export const openaiEmbeddingModels: readonly EmbeddingModelInfo[] = [
  { modelId: 'text-embedding-3-small', name: 'Text embedding 3 small', dimensions: 1_536 },
  { modelId: 'text-embedding-3-large', name: 'Text embedding 3 large', dimensions: 3_072 }
]
export const googleEmbeddingModels: readonly EmbeddingModelInfo[] = [
  { modelId: 'gemini-embedding-001', name: 'Gemini Embedding', dimensions: 3_072 }
]

const named = (rows: readonly (readonly [modelId: string, name: string])[]): readonly MediaModelInfo[] =>
  rows.map(([modelId, name]) => ({ modelId, name }))
export const openaiTranscriptionModels = named([
  ['gpt-4o-mini-transcribe', 'GPT-4o mini Transcribe'],
  ['gpt-4o-transcribe', 'GPT-4o Transcribe'],
  ['whisper-1', 'Whisper']
])
export const openaiSpeechModels = named([
  ['gpt-4o-mini-tts', 'GPT-4o mini TTS'],
  ['tts-1', 'TTS 1'],
  ['tts-1-hd', 'TTS 1 HD']
])
export const openaiImageModels = named([
  ['gpt-image-1', 'GPT Image 1'],
  ['gpt-image-1-mini', 'GPT Image 1 mini']
])
export const openaiVoices: readonly Voice[] = [
  'alloy',
  'ash',
  'coral',
  'echo',
  'fable',
  'nova',
  'onyx',
  'sage',
  'shimmer'
].map((id) => ({ id, name: id[0]?.toUpperCase() + id.slice(1), languages: [] }))

/** A dated snapshot (`…-20251001`, `…-2024-08-06`) is as large as the model that it is one of. */
const DATE = /-20\d\d-?\d\d-?\d\d$/

/** What is known of a model; of one that is not listed nothing but its id. */
export function infoOf(known: readonly ModelInfo[], modelId: string): ModelInfo {
  const model = modelId.replace(DATE, '')
  const found = known.find((it) => it.modelId === modelId) ?? known.find((it) => it.modelId === model)
  if (found) return found.modelId === modelId ? found : { ...found, modelId }
  return { modelId, name: modelId, contextTokens: null, outputTokens: null }
}

/** As it is told to people. */
export const shown = (info: ModelInfo) => ({
  ...info,
  inputModalities: info.inputModalities ? [...info.inputModalities] : null
})
