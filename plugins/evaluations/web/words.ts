import type { Schemas } from 'agent-platform-client'

export type Dataset = Schemas['Dataset']
export type Item = Schemas['DatasetItem']
export type Experiment = Schemas['Experiment']
export type Result = Schemas['ExperimentResult']
export type Scorer = Schemas['Scorer']

/** A share as per cent; a dash where it is not known. */
export const percent = (share: number | null | undefined): string =>
  typeof share === 'number' ? `${Math.round(share * 100)} %` : '–'

const pointsOf = (difference: number): number => Math.round(difference * 100)

/** With its sign, in per cent points. */
export function signed(difference: number): string {
  const points = pointsOf(difference)
  return points === 0 ? '±0' : `${points > 0 ? '+' : '−'}${Math.abs(points)}`
}

export function colorOf(difference: number): string {
  const points = pointsOf(difference)
  return points === 0 ? 'gray' : points > 0 ? 'teal' : 'red'
}

export const seconds = (milliseconds: number | null | undefined): string =>
  typeof milliseconds === 'number'
    ? `${(milliseconds / 1_000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`
    : '–'

/** A decimal without zeros at its end. */
export const credits = (cost: string | null | undefined): string =>
  cost ? (cost.includes('.') ? cost.replace(/\.?0+$/, '') : cost) : '–'

export const scorerNames: Readonly<Record<Scorer['type'], string>> = {
  exact: 'Exact match',
  contains: 'Contains',
  json_schema: 'JSON Schema',
  judge: 'Judge',
  app_function: 'Function of an app'
}
