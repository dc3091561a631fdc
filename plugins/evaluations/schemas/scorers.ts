import { Name, OrNull } from 'agent-platform'
import type { Static, TProperties } from 'typebox'
import { Type } from 'typebox'

const name = Type.Optional(Name({ maxLength: 64, description: 'Default: its type' }))
const ignoreCase = Type.Optional(Type.Boolean({ description: 'Default: false' }))
const threshold = Type.Optional(
  Type.Number({ minimum: 0, maximum: 1, description: 'From this score on it has passed; default 0.5' })
)
const of = <T extends string, P extends TProperties>(type: T, description: string, fields: P) =>
  Type.Object({ type: Type.Literal(type), name, ...fields }, { additionalProperties: false, description })

export const Scorer = Type.Union(
  [
    of('exact', 'The answer is the expected outcome, but for white space around it', { ignoreCase }),
    of('contains', 'The answer contains a text', {
      text: Type.Optional(
        Type.String({ minLength: 1, maxLength: 8_000, description: 'Default: the expected outcome' })
      ),
      ignoreCase
    }),
    of('json_schema', 'The answer is JSON of a schema', {
      schema: Type.Record(Type.String(), Type.Unknown(), {
        description: 'JSON Schema (2020-12 or draft-07), up to 32,000 characters'
      })
    }),
    of('judge', 'A model grades the answer by a rubric', {
      rubric: Type.String({
        minLength: 1,
        maxLength: 8_000,
        description: 'What a good answer is, in words'
      }),
      model: Type.Optional(
        Type.Object(
          {
            modelProvider: Type.String({ maxLength: 100 }),
            modelId: OrNull(Type.String({ maxLength: 200 }))
          },
          { additionalProperties: false, description: 'Default: that of the project' }
        )
      ),
      threshold
    }),
    of(
      'app_function',
      'A function of an app, which gives a number of 0 to 1, true or false, or an object with `score`',
      {
        app: Type.String({ minLength: 1, maxLength: 100, description: 'As its manifest calls it' }),
        function: Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Called with `{ input, expected, output, metadata }`'
        }),
        threshold
      }
    )
  ],
  { title: 'Scorer' }
)
export const Score = Type.Object(
  {
    scorer: Type.String({ description: 'Its name' }),
    score: OrNull(Type.Number({ description: '0 to 1; null: it could not be scored' })),
    passed: OrNull(Type.Boolean()),
    reason: OrNull(Type.String())
  },
  { title: 'Score' }
)

export type Scorer = Static<typeof Scorer>
export type NamedScorer = Scorer & { readonly name: string }
export type ScorerOf<T extends Scorer['type']> = Extract<Scorer, { type: T }>
export type Score = Static<typeof Score>
