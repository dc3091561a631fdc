import type { Principal } from 'agent-platform'
import { forbidden, invalid, notFound } from 'agent-platform'
import type { Embedder, Models } from '../../models/contract.ts'
import type { EmbeddingBody } from '../schemas/embeddings.ts'

export type EmbeddingService = ReturnType<typeof createEmbeddingService>

const MOST_TEXTS = 2_048
const MOST_CHARACTERS = 1_000_000
/** Of most texts. */
const CHARACTERS_PER_TOKEN = 4

/** Vectors for texts, by the embedding model of the caller's project. */
export function createEmbeddingService({ models }: { models: Models }) {
  async function embedderOf({ project }: Principal, name: string): Promise<Embedder> {
    const embedder = await models.embedding(project)
    const { id } = embedder
    if (name === 'default' || name === id || name === id.slice(id.indexOf('/') + 1)) return embedder
    throw notFound(`The embedding model of this project is ${id}. Embedding model ${name}`, {
      code: 'model_not_found'
    })
  }

  async function create(by: Principal, body: EmbeddingBody, signal: AbortSignal) {
    if (by.attenuation?.spend)
      throw forbidden('Tokens with a spend limit cannot create embeddings: their cost is not counted.', {
        code: 'token_refused'
      })
    const texts = textsOf(body.input)
    const embedder = await embedderOf(by, body.model)
    const vectors = await embedder.embed(texts, { as: 'document', signal })
    const { dimensions, encoding_format } = body
    if (dimensions != null && dimensions !== vectors[0]?.length)
      throw invalid(
        '/dimensions',
        `/dimensions must be ${vectors[0]?.length}, as ${embedder.id} has it`,
        'unsupported_parameter'
      )
    const tokens = texts.reduce((sum, text) => sum + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0)
    return {
      object: 'list' as const,
      data: vectors.map((vector, index) => ({
        object: 'embedding' as const,
        index,
        embedding: encoding_format === 'base64' ? base64Of(vector) : [...vector]
      })),
      model: body.model,
      usage: { prompt_tokens: tokens, total_tokens: tokens }
    }
  }

  return { create }
}

function textsOf(input: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(input) ? input : [input]
  if (texts.length === 0 || texts.length > MOST_TEXTS)
    throw invalid('/input', `/input must have 1 to ${MOST_TEXTS} strings`)
  const wrong = texts.findIndex((text) => typeof text !== 'string' || text === '')
  if (wrong >= 0)
    throw invalid(
      Array.isArray(input) ? `/input/${wrong}` : '/input',
      '/input must be a string or an array of strings that are not empty. Tokens are not accepted.'
    )
  const all = texts as readonly string[]
  if (all.reduce((sum, { length }) => sum + length, 0) > MOST_CHARACTERS)
    throw invalid('/input', `/input must not be longer than ${MOST_CHARACTERS} characters`)
  return all
}

/** Numbers of 32 bits, little-endian, as OpenAI sends them. */
const base64Of = ({ buffer, byteOffset, byteLength }: Float32Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
