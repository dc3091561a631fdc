import { upstreamFailed } from 'agent-platform'
import type { RequestInit, Response } from 'undici'
import { FormData, Headers } from 'undici'

/** One request of an exchange. */
export interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: RequestInit['body']
}

/** What goes along to another origin: nothing that could be a secret. */
const HARMLESS = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Where a reply sends its caller, undefined when nowhere. */
export function locationOf({ status, headers }: Response, { url }: Hop): URL | undefined {
  const location = REDIRECTS.has(status) && headers.get('location')
  if (!location) return undefined
  const text = Buffer.from(location, 'latin1').toString()
  if (URL.canParse(text, url.href)) return new URL(text, url)
  throw upstreamFailed('The address that a redirect names is not valid')
}

/** The request that follows a redirect, as the fetch standard has it, but with fewer headers. */
export function follow(hop: Hop, status: number, url: URL): Hop {
  const headers = new Headers(hop.headers)
  if (url.origin !== hop.url.origin)
    for (const name of hop.headers.keys()) if (!HARMLESS.has(name)) headers.delete(name)
  if (status === 303 ? /^(GET|HEAD)$/.test(hop.method) : status > 303 || hop.method !== 'POST') {
    if (isReplayable(hop.body)) return { ...hop, url, headers }
    throw upstreamFailed('A redirect asks for a body that cannot be sent again')
  }
  for (const name of hop.headers.keys()) if (name.startsWith('content-')) headers.delete(name)
  return { url, method: 'GET', headers, body: undefined }
}

const isReplayable = (body: RequestInit['body']) =>
  body == null ||
  typeof body === 'string' ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body) ||
  [Blob, URLSearchParams, FormData].some((kind) => body instanceof kind)
