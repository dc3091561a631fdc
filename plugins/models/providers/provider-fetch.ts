import { readCapped, upstreamFailed } from 'agent-platform'
import type { Dispatcher } from 'undici'
import { request } from 'undici'
import { activityOf } from './activity.ts'
import { limitedEvents, limitedText } from './limited-stream.ts'
import type { VendorAccess } from './vendor.ts'

const MAX_REFUSAL_BYTES = 65_536
/** What a header may hold; servers send more. */
const PRINTABLE = /^[ -~]*$/

/**
 * For the vendors' own clients. Follows no redirect: a key goes where it was meant to go, or nowhere. A reply stays
 * within the limits of one, and is never unpacked; what comes instead is cut, and the key taken out of it, should the
 * other side say it back.
 */
export function fetchBy({ dispatcher, apiKey }: Pick<VendorAccess, 'dispatcher' | 'apiKey'>): typeof fetch {
  async function refusal(body: Dispatcher.ResponseData['body']): Promise<string> {
    const text = (await readCapped(body, MAX_REFUSAL_BYTES)).bytes.toString()
    return apiKey === undefined ? text : text.replaceAll(apiKey, '…')
  }

  return async (url, { method = 'GET', headers, body, signal } = {}) => {
    const reply = await request(String(url), {
      dispatcher,
      method: method as Dispatcher.HttpMethod,
      headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' },
      body: body as string,
      signal: signal ?? null
    })
    const passed = headersOf(reply)
    if (reply.statusCode !== 200) {
      const status = reply.statusCode < 400 ? 502 : reply.statusCode
      return new Response(await refusal(reply.body), { status, headers: passed })
    }
    if (passed.has('content-encoding')) {
      reply.body.destroy()
      throw upstreamFailed('The model packed its reply, though it was asked not to')
    }
    const activity = activityOf(signal)
    const isWhole = /json/.test(passed.get('content-type') ?? '')
    return new Response(isWhole ? await limitedText(reply.body) : limitedEvents(reply.body, activity), {
      headers: passed
    })
  }
}

function headersOf({ headers }: Dispatcher.ResponseData): Headers {
  const passed = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (name !== 'content-length' && PRINTABLE.test(String(value))) passed.set(name, String(value))
  return passed
}
