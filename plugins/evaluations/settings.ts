import type { Static } from 'typebox'
import { Type } from 'typebox'

const setting = (env: string, minimum: number, maximum: number, value: number, description: string) =>
  Type.Integer({ env, minimum, maximum, default: value, description })

export const EvaluationSettings = Type.Object({
  mostDatasets: setting('EVALUATIONS_MOST_DATASETS', 1, 10_000, 100, 'Datasets of one owner'),
  mostItems: setting('EVALUATIONS_MOST_ITEMS', 1, 100_000, 5_000, 'Items of one dataset'),
  mostCharacters: setting(
    'EVALUATIONS_MOST_CHARACTERS',
    1_000,
    1_000_000_000,
    20_000_000,
    'Characters of all items of one dataset'
  ),
  mostExperiments: setting('EVALUATIONS_MOST_EXPERIMENTS', 1, 100_000, 500, 'Experiments of one owner'),
  mostRunning: setting(
    'EVALUATIONS_MOST_RUNNING',
    1,
    100,
    4,
    'Experiments of one owner that may be under way at a time'
  )
})
export type EvaluationSettings = Static<typeof EvaluationSettings>
