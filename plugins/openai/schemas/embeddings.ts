import { OrNull } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { anything } from './chat.ts'
import { failing } from './failures.ts'
import { Open } from './open.ts'

const EmbeddingBody = Open(
  {
    model: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'The embedding model of the project: `default`, `<provider>/<model>` or `<model>`',
      examples: ['default']
    }),
    input: Type.Unknown({ description: 'A string, or an array of 1 to 2,048 strings' }),
    encoding_format: Type.Optional(OrNull(Type.Enum(['float', 'base64']))),
    dimensions: Type.Optional(OrNull(Type.Integer({ minimum: 1 }))),
    user: Type.Optional(OrNull(Type.String({ maxLength: 512 })))
  },
  { title: 'OpenAiEmbeddingRequest' }
)
export type EmbeddingBody = Static<typeof EmbeddingBody>

export const createEmbeddings = {
  tags: ['openai'],
  summary: 'Create embeddings, in the form of OpenAI’s API',
  description:
    'Vectors of length 1, by the embedding model of the project. `usage` is estimated. 404 `model_not_found` for any other model.',
  body: EmbeddingBody,
  response: {
    200: anything('OpenAiEmbeddings', {
      object: Type.Literal('list'),
      model: Type.String(),
      data: Type.Array(Type.Unknown())
    }),
    404: {},
    ...failing
  }
}
