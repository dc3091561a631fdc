import { unavailable, upstreamFailed, upstreamTimeout } from 'agent-platform'
import { Dispatcher, Response, util } from 'undici'

const TIMEOUTS = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT', 'ETIMEOUT'])
/** Nothing of the request was sent. */
const UNSENT = new Set(['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND'])
/** Each takes memory before a byte of the body is read, and a header has room for thousands. */
const MAX_CODINGS = 2

/** Of what went wrong only the code is kept: the rest may hold addresses or a part of the reply. */
export function failureOf(error: unknown, host: string): unknown {
  const found = error instanceof TypeError ? error.cause : error
  // Without a cause it is a mistake in the request, with a kind it was made here.
  if (!(found instanceof Error) || 'kind' in found) return found ?? error
  const { code = found.name } = found as NodeJS.ErrnoException
  const details = { cause: new Error(`outgoing: ${code}`) }
  if (TIMEOUTS.has(code)) return upstreamTimeout(`${host} did not answer in time`, details)
  if (code === 'UND_ERR_MAX_ORIGINS_REACHED') return unavailable('Too many addresses are in use', details)
  if (UNSENT.has(code))
    return upstreamFailed(`${host} cannot be reached`, { ...details, code: 'unreachable' })
  return upstreamFailed(`${host} cannot be reached or gave no valid reply`, details)
}

/** For `fetch`, which has a time limit of its own and decodes bodies. Not composed: that would join cookies. */
export function strictly(dispatcher: Dispatcher): Dispatcher {
  return new (class extends Dispatcher {
    override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
      const onHeaders: Dispatcher.DispatchHandler['onHeaders'] = function (this: object, ...reply) {
        const codings = String(util.parseHeaders(reply[1])['content-encoding'] ?? '').split(',')
        if (codings.length > MAX_CODINGS) throw new Error('too many content codings')
        return handler.onHeaders?.apply(this, reply) ?? true
      }
      const strict = Object.create(handler, { onHeaders: { value: onHeaders } })
      return dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, strict)
    }
  })()
}

interface Limits {
  readonly host: string
  readonly maxBytes: number
  readonly redirected: boolean
  /** Nothing more comes. */
  ended(): void
  /** Nothing more comes, what still does is cut: why. */
  failed(error: unknown): unknown
}

/** The reply as its caller gets it; its body fails past `maxBytes`, counted as they are read, decoded. */
export function replyOf(reply: Response, limits: Limits): Response {
  const { status, headers, url } = reply
  const told = { url: { value: url }, redirected: { value: limits.redirected } }
  if (!reply.body) {
    limits.ended()
    return Object.defineProperties(reply, told)
  }
  if (status > 599) throw new Error('no valid status')
  // Servers may put anything there, the constructor takes no control characters.
  const statusText = reply.statusText.replace(/[^ -~\x80-\xff]/g, ' ')
  const body = limited(reply.body as ReadableStream<Uint8Array>, limits)
  return Object.defineProperties(new Response(body, { status, statusText, headers }), told)
}

function limited(body: ReadableStream<Uint8Array>, { host, maxBytes, ended, failed }: Limits) {
  const reader = body.getReader()
  let size = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            ended()
            return controller.close()
          }
          size += value.byteLength
          if (size > maxBytes)
            throw upstreamFailed(`The reply of ${host} is larger than ${maxBytes} bytes`, {
              code: 'reply_too_large'
            })
          controller.enqueue(value)
        } catch (error) {
          controller.error(failed(error))
        }
      },
      async cancel(reason) {
        ended()
        await reader.cancel(reason)
      }
    },
    { highWaterMark: 0 }
  )
}
