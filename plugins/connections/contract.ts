import type { Connection } from './schemas/connections.ts'

export type { Connection }

declare module 'agent-platform' {
  interface Facts {
    /** Its owner agreed, for the first time or anew. */
    'connections.connected': Connection
    'connections.updated': Connection
    /** It has another token. */
    'connections.refreshed': { id: string; providerKey: string; expiresAt: string | null }
    /** It has to be connected again; `statusReason` says why. */
    'connections.expired': Connection
    /** Nothing can use it any more: taken back, here or at the provider. */
    'connections.revoked': Connection
    'connections.deleted': { id: string; providerKey: string; isRevoked: boolean }
  }
}
