/** A webhook: never its address, which may hold a secret. */
interface AboutWebhook {
  readonly id: string
  readonly types: readonly string[]
  readonly active: boolean
  readonly version: number
}

declare module 'agent-platform' {
  interface Facts {
    'webhooks.created': AboutWebhook
    'webhooks.updated': AboutWebhook
    'webhooks.deleted': { id: string }
    'webhooks.secret_rotated': { id: string }
    /** Switched off by the platform. */
    'webhooks.disabled': { readonly id: string; readonly reason: 'failing' | 'gone' }
  }
}
