import type { Principal } from 'agent-platform'

interface KeyCreated {
  id: string
  name: string
  prefix: string
  scopes: string[]
}

/** Has a say in whether the caller may make a key: throws where it may not. */
interface KeyGuard {
  check(by: Principal): Promise<void>
}

declare module 'agent-platform' {
  interface Points {
    /** Asked before a key is made, which outlasts what the caller signed in with. */
    'access.key_guard': KeyGuard
  }
  interface Facts {
    /** Never the key itself. */
    'access.key_created': KeyCreated
    /** Together with what was made with it. */
    'access.key_revoked': { ids: string[] }
  }
}

export type { KeyCreated, KeyGuard }
