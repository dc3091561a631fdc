interface KeyCreated {
  id: string
  name: string
  prefix: string
  scopes: string[]
}

declare module 'agent-platform' {
  interface Facts {
    /** Never the key itself. */
    'access.key_created': KeyCreated
    /** Together with what was made with it. */
    'access.key_revoked': { ids: string[] }
  }
}

export type { KeyCreated }
