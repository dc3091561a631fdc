import { ApiError } from './errors.ts'
import type { Method } from './operations.ts'
import { retrying } from './retries.ts'
import type { AnyInit, Send } from './send.ts'
import { connected, isRaw } from './send.ts'

/** Calls a path, as often as the request may be repeated, and reads the reply. */
export type AnyCall = (method: Method, path: string, init?: AnyInit) => Promise<unknown>

export function createCall({
  send,
  retries,
  origin
}: {
  readonly send: Send
  readonly retries: number
  readonly origin: string
}): AnyCall {
  return (method, path, init = {}) => {
    const key = keyOf(method, init)
    const headers = { ...init.headers, ...(key !== undefined && { 'idempotency-key': key }) }
    const repeats = key !== undefined || !(method === 'post' || method === 'patch')
    return retrying(
      async () => {
        const response = await send(method, path, { ...init, headers })
        return connected(read(response), init.signal, origin)
      },
      { retries: repeats ? retries : 0, signal: init.signal }
    )
  }
}

/** A POST or PATCH has a key of its own unless the caller names one, or wants none. */
function keyOf(method: Method, { idempotencyKey, params, headers, body }: AnyInit): string | undefined {
  if (idempotencyKey === false) return undefined
  const named = idempotencyKey ?? headerOf(params?.header) ?? headerOf(headers)
  if (named !== undefined) return named
  const changes = method === 'post' || method === 'patch'
  // The platform passes bytes on without keeping them, so it could not tell a repetition.
  return changes && !isRaw(body) ? newKey() : undefined
}

function headerOf(headers: Readonly<Record<string, unknown>> = {}): string | undefined {
  const name = Object.keys(headers).find((key) => key.toLowerCase() === 'idempotency-key')
  return name === undefined || headers[name] === undefined ? undefined : String(headers[name])
}

/** `randomUUID` is not there on pages that came over plain HTTP. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The body of a reply as its type says: JSON, text, or bytes. */
async function read(response: Response): Promise<unknown> {
  const { status, headers } = response
  const type = headers.get('content-type') ?? ''
  if (status === 204 || status === 205) return undefined
  if (/[/+]json\b/.test(type)) {
    return parse(await response.text())
  }
  if (!headers.has('x-request-id')) throw foreign(response)
  return /^text\//.test(type) ? response.text() : response.blob()
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    // What was cut may hold a secret, and the parser's message would quote it.
    throw new SyntaxError('the reply is not whole')
  }
}

/** Such as the page by which a network asks its guests to sign in. */
export function foreign({ status, headers }: Response): ApiError {
  const message = `${status}: the reply is not the platform's`
  const requestId = headers.get('x-request-id') ?? undefined
  return new ApiError({ status, type: 'unexpected_reply', message, requestId })
}
