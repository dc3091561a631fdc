import type { Principal } from 'agent-platform'
import type { Evaluation } from './schemas.ts'

/** For packs that do something else for some than for others. */
export interface Flags {
  /** What the flag is for that principal, and why; 404 for one that is not defined. Some microseconds, from memory. */
  evaluate(by: Principal, key: string): Promise<Evaluation>
  /** Its value, or `otherwise` where it is not defined, disabled or of another type. */
  value<T extends boolean | string | number>(by: Principal, key: string, otherwise: T): Promise<T>
}

interface Changed {
  readonly key: string
  readonly version: number
}

declare module 'agent-platform' {
  interface Services {
    flags: Flags
  }
  interface Facts {
    'flags.updated': Changed
    'flags.deleted': { readonly key: string }
  }
}

export type { Evaluation }
