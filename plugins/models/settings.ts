import type { Static } from 'typebox'
import { Type } from 'typebox'

const ApiKey = (env: string, description: string) =>
  Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{1,1000}$', env, secret: true, description }))
const address = { format: 'uri', pattern: '^https?://[^@?#]+$' }
const Name = (env: string, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, env, description }))

const Tokens = (env: string, description: string) =>
  Type.Optional(Type.Integer({ minimum: 256, maximum: 100_000_000, env, description }))

export const ModelSettings = Type.Object({
  modelProvider: Name('MODEL_PROVIDER', 'Provider of the default model; else the first that is configured'),
  modelId: Name('MODEL_ID', 'The default model; else the first of the default provider'),
  openaiApiKey: ApiKey('OPENAI_API_KEY', 'Key for OpenAI'),
  openaiBaseUrl: Type.String({
    ...address,
    env: 'OPENAI_BASE_URL',
    default: 'https://api.openai.com/v1',
    description: 'Address of OpenAI, or of a proxy before it'
  }),
  anthropicApiKey: ApiKey('ANTHROPIC_API_KEY', 'Key for Anthropic'),
  anthropicBaseUrl: Type.String({
    ...address,
    env: 'ANTHROPIC_BASE_URL',
    default: 'https://api.anthropic.com/v1',
    description: 'Address of Anthropic, or of a proxy before it'
  }),
  googleApiKey: ApiKey('GOOGLE_GENERATIVE_AI_API_KEY', 'Key for the Gemini API'),
  geminiApiKey: ApiKey(
    'GEMINI_API_KEY',
    'The same under its other usual name, used where the first is not set'
  ),
  googleBaseUrl: Type.String({
    ...address,
    env: 'GOOGLE_GENERATIVE_AI_BASE_URL',
    default: 'https://generativelanguage.googleapis.com/v1beta',
    description: 'Address of the Gemini API, or of a proxy before it'
  }),
  azureApiKey: ApiKey('AZURE_OPENAI_API_KEY', 'Key for Azure OpenAI'),
  azureBaseUrl: Type.Optional(
    Type.String({
      ...address,
      env: 'AZURE_OPENAI_BASE_URL',
      description: 'Address of an Azure OpenAI resource: `https://<resource>.openai.azure.com/openai/v1`'
    })
  ),
  mistralApiKey: ApiKey('MISTRAL_API_KEY', 'Key for Mistral'),
  groqApiKey: ApiKey('GROQ_API_KEY', 'Key for Groq'),
  deepseekApiKey: ApiKey('DEEPSEEK_API_KEY', 'Key for DeepSeek'),
  xaiApiKey: ApiKey('XAI_API_KEY', 'Key for xAI'),
  openrouterApiKey: ApiKey('OPENROUTER_API_KEY', 'Key for OpenRouter'),
  togetherApiKey: ApiKey('TOGETHER_API_KEY', 'Key for Together AI'),
  fireworksApiKey: ApiKey('FIREWORKS_API_KEY', 'Key for Fireworks AI'),
  cohereApiKey: ApiKey('COHERE_API_KEY', 'Key for Cohere'),
  perplexityApiKey: ApiKey('PERPLEXITY_API_KEY', 'Key for Perplexity'),
  openaiCompatibleBaseUrl: Type.Optional(
    Type.String({
      ...address,
      env: 'OPENAI_COMPATIBLE_BASE_URL',
      description: 'Address of a server that speaks chat completions (Ollama, vLLM, LM Studio …)'
    })
  ),
  openaiCompatibleApiKey: ApiKey('OPENAI_COMPATIBLE_API_KEY', 'Key for that server, if it wants one'),
  openaiCompatibleModel: Name('OPENAI_COMPATIBLE_MODEL', 'Its default model; else the first that it lists'),
  openaiCompatibleImages: Type.Boolean({
    env: 'OPENAI_COMPATIBLE_IMAGES',
    default: false,
    description: 'Whether models of such servers take images where the server does not say which do'
  }),
  openaiCompatibleContextTokens: Tokens(
    'OPENAI_COMPATIBLE_CONTEXT_TOKENS',
    'Context window, in tokens, of models whose size such a server does not report'
  ),
  openaiCompatibleOutputTokens: Tokens(
    'OPENAI_COMPATIBLE_OUTPUT_TOKENS',
    'Maximum number of tokens in a response of these models'
  ),
  openaiCompatibleEmbeddingModel: Name(
    'OPENAI_COMPATIBLE_EMBEDDING_MODEL',
    'Its default model for vectors; else it has to be named'
  ),
  embeddingProvider: Name(
    'EMBEDDING_PROVIDER',
    'Provider of the model that gives vectors for texts; else the one built in, which sends them nowhere'
  ),
  embeddingModelId: Name('EMBEDDING_MODEL_ID', 'That model; else the first of its provider'),
  transcriptionProvider: Name(
    'TRANSCRIPTION_PROVIDER',
    'Provider of the model that writes down what is said; else the first that sends nothing anywhere'
  ),
  transcriptionModelId: Name('TRANSCRIPTION_MODEL_ID', 'That model; else the first of its provider'),
  speechProvider: Name(
    'SPEECH_PROVIDER',
    'Provider of the model that speaks; else the first that sends nothing anywhere'
  ),
  speechModelId: Name('SPEECH_MODEL_ID', 'That model; else the first of its provider'),
  imageProvider: Name(
    'IMAGE_PROVIDER',
    'Provider of the model that draws; else the first that sends nothing anywhere'
  ),
  imageModelId: Name('IMAGE_MODEL_ID', 'That model; else the first of its provider')
})
export type ModelSettings = Static<typeof ModelSettings>
