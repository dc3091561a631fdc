import type { Principal } from 'agent-platform'
import type { Amounts } from '../stores/usage.ts'

/** For whom, and in what, an app asks. */
export interface Asking {
  readonly by: Principal
  readonly pluginId: string
  readonly signal: AbortSignal
  /** Apps and agents that are calling each other already. */
  readonly depth: number
  readonly agentId?: string | undefined
  readonly runId?: string | undefined
  readonly locale?: string | undefined
  /** Told what is used up for it, as it is metered. */
  readonly used?: (more: Partial<Amounts>) => void
  /** Of a function: the installation that it is of, and its name. Another one of the same id is not meant. */
  readonly within?: { readonly appId: string; readonly fn: string }
}
