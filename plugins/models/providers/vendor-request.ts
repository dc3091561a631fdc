import { readCapped } from 'agent-platform'
import type { Dispatcher, FormData } from 'undici'
import { request } from 'undici'
import { createFaults } from '../chat-completions/faults.ts'
import type { VendorAccess } from './api-key-provider.ts'

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
  { baseUrl, apiKey, dispatcher }: VendorAccess,
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

  return {
    faults,
    /** What came with status 200: an object is sent as JSON, a form as it is. An `APICallError` for anything else. */
    async post(
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
  }
}
