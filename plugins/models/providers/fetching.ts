import { Response, fetch as undiciFetch } from 'undici'
import type { Access } from './keyed.ts'

const MAX_REFUSAL_BYTES = 65_536

/**
 * For the vendors' own clients. Follows no redirect: a key goes where it was meant to go, or nowhere. What comes
 * instead of a reply is cut, and the key taken out of it, should the other side say it back.
 */
export function fetchBy({ dispatcher, apiKey }: Pick<Access, 'dispatcher' | 'apiKey'>) {
  async function ask(url: string, init: object) {
    const reply = await undiciFetch(url, { ...init, dispatcher, redirect: 'error' })
    return reply.ok ? reply : refusal(reply)
  }

  async function refusal(reply: Response): Promise<Response> {
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of reply.body ?? []) {
      parts.push(part)
      bytes += part.length
      if (bytes > MAX_REFUSAL_BYTES) break
    }
    const text = Buffer.concat(parts).toString('utf8', 0, MAX_REFUSAL_BYTES)
    const { status, statusText, headers } = reply
    const kept = [...headers].filter(([name]) => !/^content-(length|encoding)$/.test(name))
    const told = apiKey === undefined ? text : text.replaceAll(apiKey, '…')
    return new Response(told, { status, statusText, headers: kept })
  }

  return ask as unknown as typeof fetch
}
