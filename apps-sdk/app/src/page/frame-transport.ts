import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { JSONRPCMessageSchema } from '@modelcontextprotocol/core'

/**
 * Messages between a page and the window that shows it, from that window alone. In place of the `PostMessageTransport` of
 * `@modelcontextprotocol/ext-apps`, which writes each of them to the console of the browser, with all that it holds.
 */
export function createFrameTransport(other: Window): Transport {
  const hear = ({ source, data }: MessageEvent) => {
    // Other programs' messages go through the same window.
    if (source !== other || data?.jsonrpc !== '2.0') return
    const { success, data: message, error } = JSONRPCMessageSchema.safeParse(data)
    if (success) transport.onmessage?.(message)
    else transport.onerror?.(new Error(`It is no message of JSON-RPC: ${error.message}`))
  }
  const transport: Transport = {
    start: async () => window.addEventListener('message', hear),
    // A frame without an origin has no other address.
    send: async (message: JSONRPCMessage) => other.postMessage(message, '*'),
    async close() {
      window.removeEventListener('message', hear)
      transport.onclose?.()
    }
  }
  return transport
}
