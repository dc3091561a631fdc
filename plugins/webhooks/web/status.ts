import type { Schemas } from 'agent-platform-client'

/** In a word. */
export function statusOf({ active, disabledAt, failingSince }: Schemas['OutgoingWebhook']): string {
  if (disabledAt !== null) return 'disabled'
  if (!active) return 'off'
  return failingSince === null ? 'active' : 'failing'
}
