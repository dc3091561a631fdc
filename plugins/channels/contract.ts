import type { ChannelKind } from './kinds/kind.ts'

export type { ChannelKind, Delivery, Fetched, Incoming, Outbound, Received } from './kinds/kind.ts'

interface AboutChannel {
  readonly id: string
  readonly agentId: string
  readonly kind: string
}

declare module 'agent-platform' {
  interface Points {
    'channels.kind': ChannelKind
  }
  interface Facts {
    'channels.connected': AboutChannel
    'channels.disconnected': AboutChannel
    /** Never what was said, or by whom. */
    'channels.message_received': AboutChannel & { readonly conversationId: string }
    'channels.message_sent': AboutChannel & { readonly conversationId: string }
    'channels.message_failed': AboutChannel & { readonly conversationId: string; readonly reason: string }
  }
}
