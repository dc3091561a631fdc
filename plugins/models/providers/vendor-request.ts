import { readCapped } from 'agent-platform'
import type { Dispatcher, FormData } from 'undici'
import { request } from 'undici'
import { createFaults } from '../chat-completions/faults.ts'
import { refusalOf, rejectedBy } from '../failures/rejected-parameters.ts'
import type { VendorAccess } from './vendor.ts'

const REFUSAL_BYTES = 65_536

interface About {
  readonly modelProvider: string
  readonly modelId: string
  /** Behind the address of the vendor. */
  readonly path: string
}
interface Limits {
  /** Of a good reply. */
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
}

/** One route of a vendor, whose replies are read whole. */
export function createVendorRequest(
  { baseUrl, apiKey, dispatcher, guarded }: VendorAccess,
  { modelProvider, modelId, path }: About
) {
  const url = `${baseUrl}${path}`
  const faults = createFaults({ modelProvider, modelId, url, secrets: apiKey === undefined ? [] : [apiKey] })

  async function ask(body: object | FormData, signal: AbortSignal | undefined) {
    const isForm = Symbol.toStringTag in body
    const headers = {
      ...(!isForm && { 'content-type': 'application/json' }),
      accept: 'application/json, */*',
      'accept-encoding': 'identity',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` })
    }
    try {
      const sent = isForm ? (body as FormData) : JSON.stringify(body)
      return await request(url, { dispatcher, method: 'POST', headers, body: sent, signal: signal ?? null })
    } catch (error) {
      signal?.throwIfAborted()
      throw 'kind' in (error as object) ? error : faults.unreachable(error as Error)
    }
  }

  async function read({ body }: Dispatcher.ResponseData, most: number, signal: AbortSignal | undefined) {
    try {
      return await readCapped(body, most)
    } catch (error) {
      signal?.throwIfAborted()
      throw faults.cut(error as Error)
    }
  }

  /** What came with status 200: an object is sent as JSON, a form as it is. An `APICallError` for anything else. */
  async function post(
    body: object | FormData,
    { maxBytes, signal }: Limits
  ): Promise<{ bytes: Buffer; type: string }> {
    const reply = await ask(body, signal)
    const isGood = reply.statusCode === 200
    const { bytes, cut } = await read(reply, isGood ? maxBytes : REFUSAL_BYTES, signal)
    if (!isGood) throw faults.status(reply.statusCode, reply.headers, bytes.toString())
    if (cut) throw faults.garbled(`more than ${maxBytes} bytes`, '')
    return { bytes, type: String(reply.headers['content-type'] ?? '') }
  }

  /** Parameters that the model does not know. */
  let unknown: readonly string[] = []

  /** What came with status 200, as `post`; without the optional parameters that the model rejects. */
  async function postWithout(
    bodyOf: (isLeftOut: (name: string) => boolean) => object | FormData,
    optional: readonly string[],
    limits: Limits
  ) {
    let left = unknown
    for (;;) {
      try {
        return await post(
          bodyOf((name) => left.includes(name)),
          limits
        )
      } catch (error) {
        const refusal = refusalOf(error)
        const rejected =
          refusal &&
          rejectedBy(
            refusal,
            optional.filter((name) => !left.includes(name))
          )
        if (!rejected) throw error
        left = [...left, rejected.name]
        if (rejected.isLasting) unknown = [...unknown, rejected.name]
      }
    }
  }

  return {
    faults,
    post,
    postWithout,
    /** Bytes at an address that the vendor gave: its own, or by the rules for addresses of projects; without the key. */
    async fetch(address: string, { maxBytes, signal }: Limits): Promise<Buffer> {
      const isOwn = URL.canParse(address) && new URL(address).origin === new URL(baseUrl).origin
      const by = isOwn ? dispatcher : guarded
      if (!by || !/^https?:/.test(address)) throw faults.garbled('an address that cannot be fetched', '')
      const reply = await request(address, { dispatcher: by, signal: signal ?? null }).catch((error) => {
        signal?.throwIfAborted()
        throw 'kind' in error ? error : faults.unreachable(error)
      })
      const { bytes, cut } = await read(reply, maxBytes, signal)
      if (reply.statusCode !== 200) throw faults.status(reply.statusCode, reply.headers, '')
      if (cut) throw faults.garbled(`more than ${maxBytes} bytes`, '')
      return bytes
    }
  }
}
