import type { Scope } from './scope.ts'

/** A line of the table. */
export interface Row {
  readonly what: string
  readonly reach: string
  readonly measured: string
  readonly met: boolean
}

/** `quick`: short enough for every push, and so less exact. */
export type Measure = (scope: Scope, quick: boolean) => Promise<Row[]>
