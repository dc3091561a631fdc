import createFetch from 'openapi-fetch'
import { ApiError, ConnectionError, errorOf, StreamError } from './errors.ts'
import type { Credential } from './identity.ts'
import type { CallOptions, Method } from './operations.ts'

/** What a call says, whatever its path. */
export interface AnyInit extends CallOptions {
  readonly params?: Readonly<Record<string, Record<string, unknown> | undefined>>
  readonly body?: unknown
}

/** Sends a request once. Resolves with a reply of status 2xx whose body has not been read, else throws. */
export type Send = (method: Method, path: string, init: AnyInit) => Promise<Response>

export interface SendOptions {
  readonly baseUrl: string
  /** Names the platform in errors. */
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  readonly credentialOf: (path: string) => Credential | undefined
  readonly fetch: typeof globalThis.fetch
}

export function createSend({ baseUrl, origin, headers, credentialOf, fetch }: SendOptions): Send {
  const api = createFetch<Record<string, never>>({
    baseUrl,
    headers,
    bodySerializer,
    // The platform has none, and another server is not to be told what this one was.
    redirect: 'manual',
    async fetch(request: Request) {
      const response = await connected(fetch(request), request.signal, origin)
      if (response.ok) return response
      throw errorOf(response, await connected(response.text(), request.signal, origin))
    }
  })
  const once = async (
    method: Method,
    path: string,
    { params, body, headers, signal }: AnyInit,
    token?: string
  ) => {
    const authorization = token !== undefined && { authorization: `Bearer ${token}` }
    const init = {
      params,
      body,
      headers: { ...typeOf(body), ...authorization, ...headers },
      signal,
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      parseAs: 'stream'
    }
    const { response } = await api.request(method, path as never, init as never)
    return response
  }
  return async (method, path, init) => {
    const credential = credentialOf(path)
    const token = await credential?.token()
    try {
      return await once(method, path, init, token)
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status === 401
      const next = isRefused && token !== undefined ? await credential?.renew(token) : undefined
      if (next === undefined) throw error
      return once(method, path, init, next)
    }
  }
}

/** Bytes and forms go as they are, everything else as JSON. */
const bodySerializer = (body: unknown) => (isRaw(body) ? body : JSON.stringify(body))

const RAW = [Blob, ArrayBuffer, FormData, URLSearchParams, ReadableStream]
export const isRaw = (body: unknown): boolean =>
  ArrayBuffer.isView(body) || RAW.some((type) => body instanceof type)

/** The client would say that all bodies are JSON; what is null here, `fetch` says by itself. */
function typeOf(body: unknown): Record<string, string> {
  if (body instanceof FormData || body instanceof URLSearchParams) return { 'content-type': null as never }
  if (!isRaw(body)) return {}
  return { 'content-type': (body instanceof Blob && body.type) || 'application/octet-stream' }
}

/** What is on its way over the network; a failure of that says which server was not reached. */
export async function connected<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  origin: string
): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    if (error instanceof ApiError || error instanceof StreamError) throw error
    throw new ConnectionError(`The connection to ${origin} failed: ${reasonOf(error)}`, {
      cause: error
    })
  }
}

/** `fetch` says only that it failed; where there is a cause, that one knows why. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Error & { code?: string } }
  return cause?.code ?? (cause?.message || message)
}
