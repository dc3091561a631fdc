import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { unauthenticated } from 'agent-platform'

const PREFIX = 'whsec_'
const TOLERANCE_SECONDS = 300
const MOST_SIGNATURES = 10

export const makeSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/**
 * 401 unless the delivery is signed with the secret, by the rules of Standard Webhooks: over its id, its time and its
 * bytes, and not more than five minutes ago or ahead. Any of several signatures will do, as while a sender rotates.
 */
export function checkSignature(secret: string, headers: IncomingHttpHeaders, body: Buffer): void {
  const [id, time, given] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers[name]
  )
  if (typeof id !== 'string' || typeof time !== 'string' || typeof given !== 'string')
    throw unsigned('webhook-id, webhook-timestamp and webhook-signature are required')
  const seconds = /^\d{1,12}$/.test(time) ? Number(time) : Number.NaN
  if (!(Math.abs(Date.now() / 1_000 - seconds) <= TOLERANCE_SECONDS))
    throw unsigned(`webhook-timestamp must be within ${TOLERANCE_SECONDS} s`)
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  const wanted = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest()
  const signatures = given.split(' ').slice(0, MOST_SIGNATURES)
  if (!signatures.some((signature) => isSignature(signature, wanted))) throw unsigned('No signature is valid')
}

function isSignature(signature: string, wanted: Buffer): boolean {
  if (!signature.startsWith('v1,')) return false
  const given = Buffer.from(signature.slice('v1,'.length), 'base64')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

const unsigned = (text: string) => {
  const failure = unauthenticated(`The delivery is not signed as it should be: ${text}`)
  return Object.assign(failure, { code: 'invalid_signature' })
}
