import type { Received, RequestInit } from './messages.ts'
import { crossingOf, Request, responseOf } from './messages.ts'
import type { URL } from './url.ts'

/** `fetch` of the Web, which the platform carries out: to hosts that were declared and granted, with keys of connections. */
export const createFetch =
  (ask: (method: string, params: unknown) => Promise<unknown>) =>
  async (input: Request | URL | string, init?: RequestInit) => {
    const request = new Request(input, init)
    const { url, method, redirect, connection, signal } = request
    signal?.throwIfAborted()
    const body = crossingOf(request)
    const asked = ask('fetch', {
      ...{ url, method, redirect, headers: [...request.headers] },
      ...(connection !== undefined && { connection }),
      ...(body && { body })
    })
    return responseOf((await (signal ? Promise.race([asked, abortOf(signal)]) : asked)) as Received)
  }

const abortOf = (signal: NonNullable<Request['signal']>) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  )
