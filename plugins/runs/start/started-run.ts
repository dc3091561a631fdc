import type { Live } from '../execute/live-runs.ts'
import type { StoredRun } from '../stores/row.ts'

/** What came of a request to run an agent. */
export interface StartedRun {
  readonly run: Pick<StoredRun, 'project' | 'id'>
  /** In memory, while this process executes it. */
  readonly live: Live | undefined
  /** The same request had come before. */
  readonly repeated: boolean
}
