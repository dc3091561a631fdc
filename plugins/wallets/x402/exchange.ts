import { invalid, readCapped } from 'agent-platform'
import type { Response } from 'undici'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { Answer, PaidRequest } from '../schemas/x402.ts'
import type { Header } from './payload.ts'

/** What is kept of an answer. */
const MOST_BYTES = 1_048_576
/** Not the caller’s to say. */
const OWN = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'x-payment',
  'payment-signature',
  'upgrade',
  'expect'
])
const SHOWN = ['content-type', 'content-language', 'last-modified', 'etag', 'retry-after']

/** 400 for a header that would be in the way of the payment. */
export function checkHeaders({ headers = {} }: PaidRequest): void {
  for (const name of Object.keys(headers))
    if (OWN.has(name.toLowerCase()))
      throw invalid(`/headers/${name}`, `/headers/${name} is not the caller’s to set`)
}

/** Asks once. Nothing is followed: who was shown a payment is who gets it. */
export async function ask(
  outgoing: Outgoing,
  url: URL,
  request: PaidRequest,
  payment?: Header
): Promise<Response> {
  const { method = 'GET', headers = {}, body } = request
  return outgoing.fetch(url, {
    method,
    headers: { 'user-agent': 'agent-platform', ...headers, ...(payment && { [payment[0]]: payment[1] }) },
    ...(body !== undefined && method !== 'GET' && { body }),
    redirect: 'error',
    maxBytes: Number.MAX_SAFE_INTEGER
  })
}

export async function answerOf(reply: Response): Promise<Answer> {
  const { bytes, cut } = await readCapped(reply.body, MOST_BYTES)
  const text = bytes.toString()
  const isText = !text.includes('\0') && !text.includes('\uFFFD')
  const headers = SHOWN.flatMap((name) => {
    const value = reply.headers.get(name)
    return value === null ? [] : [[name, value.slice(0, 1_000)]]
  })
  return {
    status: reply.status,
    headers: Object.fromEntries(headers),
    body: isText ? text : bytes.toString('base64'),
    encoding: isText ? 'utf8' : 'base64',
    cut
  }
}
