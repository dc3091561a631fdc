import { OrNull, Page, Paging, Time } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Score } from './scorers.ts'

export const share = (description: string) => OrNull(Type.Number({ description }))
export const Failure = Type.Object({ code: Type.String(), message: Type.String() })
export const Usage = Type.Object({
  inputTokens: Type.Integer(),
  cachedTokens: Type.Integer(),
  outputTokens: Type.Integer()
})

export const Result = Type.Object(
  {
    id: Type.String({ examples: ['result_01k4qz0000e0080000000000ab'] }),
    experimentId: Type.String(),
    itemId: Type.String(),
    input: Type.String(),
    expected: OrNull(Type.String()),
    status: Type.Enum(['queued', 'running', 'scoring', 'completed', 'failed', 'cancelled']),
    runId: OrNull(Type.String()),
    output: OrNull(Type.String()),
    scores: Type.Array(Score),
    score: share('Mean of the scores'),
    passed: OrNull(Type.Boolean({ description: 'Each scorer that scored it; null: none did' })),
    error: OrNull(Failure),
    usage: OrNull(Usage),
    cost: OrNull(Type.String()),
    milliseconds: OrNull(Type.Integer({ description: 'From the beginning of the run to its end' })),
    endedAt: OrNull(Time)
  },
  { title: 'ExperimentResult' }
)
const ResultQuery = Type.Object({
  ...Paging,
  outcome: Type.Optional(
    Type.Enum(['passed', 'not_passed', 'failed'], {
      description: '`failed`: without an answer; `not_passed`: answered, and not good enough'
    })
  )
})
export type ResultQuery = Static<typeof ResultQuery>

export type Result = Static<typeof Result>
export type Failure = Static<typeof Failure>

export const listResults = {
  tags: ['evaluations'],
  summary: 'List the results of an experiment',
  params: Type.Object({ experimentId: Type.String() }),
  querystring: ResultQuery,
  response: { 200: Page(Result) }
}
