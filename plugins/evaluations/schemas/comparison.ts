import { Data, OrNull, Page, Paging } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Experiment } from './experiments.ts'
import { Result } from './results.ts'

const ids = Type.String({
  maxLength: 400,
  description: 'Two to five experiments of one dataset, with commas between them; the first is the baseline',
  examples: ['experiment_01k4qz0000e0080000000000ab,experiment_01k4qz0000e0080000000000ac']
})
const change = OrNull(
  Type.Enum(['improved', 'regressed', 'same'], {
    description: 'Of the score, from that of the baseline; null: one of them has none'
  })
)
const difference = OrNull(Type.Number({ description: 'From the baseline' }))

export const Comparison = Type.Object(
  {
    experiments: Type.Array(
      Type.Object({
        experiment: Experiment,
        score: difference,
        passRate: difference,
        scorers: Type.Array(Type.Object({ scorer: Type.String(), score: difference })),
        improved: Type.Integer({ description: 'Items with a higher score than in the baseline' }),
        regressed: Type.Integer({ description: 'Items with a lower one' }),
        same: Type.Integer({ description: 'Items with the same one' })
      }),
      { description: 'In the order in which they were named' }
    )
  },
  { title: 'ExperimentComparison' }
)
export const ComparedItem = Type.Object(
  {
    id: Type.String({ description: 'Of the item' }),
    input: Type.String(),
    expected: OrNull(Type.String()),
    results: Type.Array(OrNull(Type.Object({ ...Result.properties, change })), {
      description: 'In the order of the experiments; null where one does not have the item'
    })
  },
  { title: 'ComparedItem' }
)
export type Comparison = Static<typeof Comparison>
export type ComparedItem = Static<typeof ComparedItem>

const ComparisonQuery = Type.Object({
  ...Paging,
  ids,
  change: Type.Optional(
    Type.Enum(['improved', 'regressed'], {
      description: 'Only items whose score is higher, or lower, in one of the others than in the baseline'
    })
  )
})
export type ComparisonQuery = Static<typeof ComparisonQuery>

const tags = ['evaluations']
export const compareExperiments = {
  tags,
  summary: 'Compare experiments',
  querystring: Type.Object({ ids }),
  response: { 200: Data(Comparison), 404: {} }
}
export const listComparedItems = {
  tags,
  summary: 'Compare experiments item by item',
  querystring: ComparisonQuery,
  response: { 200: Page(ComparedItem), 404: {} }
}
