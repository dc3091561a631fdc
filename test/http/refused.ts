import type { Test } from 'tap'
import { failureTypes } from '../../kernel/contract/errors.ts'

interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly body: any
}

const typeOf = new Map<number, string>(Object.values(failureTypes).map(({ status, type }) => [status, type]))
const KNOWN = new Set(['type', 'message', 'requestId', 'param', 'code'])

/**
 * Asserts that a reply is a failure in the envelope: its status and the type that goes with it, the request's id
 * in body and header alike, nothing beside the known fields, `param` on every 400, `Retry-After` on every 429 and 503;
 * then what was wanted.
 */
export function refused(
  t: Test,
  reply: Answer,
  status: number,
  wanted: { param?: string; code?: string; message?: RegExp } = {},
  name = 'refused'
): void {
  const { error = {}, ...others } = reply.body ?? {}
  // A repeated request returns the stored response, with the ID of the first request.
  const isReplayed = reply.headers.get('idempotency-replayed') === 'true'
  const unknown = Object.keys(error).filter((field) => !KNOWN.has(field))
  if (/[^a-z_]/.test(error.code ?? '')) unknown.push('a code that is none of ours')
  t.match(
    {
      status: reply.status,
      contentType: reply.headers.get('content-type'),
      beside: Object.keys(others).length + unknown.length,
      sameId: isReplayed || error.requestId === reply.headers.get('x-request-id'),
      retryAfter: reply.headers.get('retry-after') ?? 'none',
      ...error
    },
    {
      status,
      contentType: 'application/json; charset=utf-8',
      beside: 0,
      sameId: true,
      type: typeOf.get(status),
      message: wanted.message ?? /\S/,
      requestId: /^req_[a-z0-9_]{8,}$/,
      ...((status === 429 || status === 503) && { retryAfter: /^[1-9]\d*$/ }),
      ...(status === 400 && { param: wanted.param ?? String }),
      ...(wanted.param !== undefined && { param: wanted.param }),
      ...(wanted.code !== undefined && { code: wanted.code })
    },
    `${name}: ${status}${wanted.param === undefined ? '' : ` ${wanted.param || '(body)'}`}`
  )
}
