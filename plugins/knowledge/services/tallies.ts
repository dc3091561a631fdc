import type { StoredDocument } from '../schemas/documents.ts'
import type { Counts } from '../stores/imports.ts'

/** What became of the files of a batch. */
export type Tally = { -readonly [K in keyof Counts]: Counts[K] }
interface Outcome {
  readonly path: string
  readonly state: Pick<StoredDocument, 'error'>
}

/** A document without text is there, and counts as failed. */
export function settle(
  tally: Tally,
  as: 'created' | 'updated' | 'unchanged',
  { path, state }: Outcome
): void {
  if (state.error) refuse(tally, path, state.error.code, state.error.message)
  else tally[as]++
}

export function refuse(tally: Tally, path: string, code: string, message: string): void {
  tally.failed++
  tally.errors = [...tally.errors, { path, code, message }]
}
