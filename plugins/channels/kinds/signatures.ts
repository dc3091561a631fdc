import { createHmac, createPublicKey, randomBytes, timingSafeEqual, verify } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { unauthenticated } from 'agent-platform'

const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'
const MOST_SIGNATURES = 10
/** What stands before the 32 bytes of an Ed25519 key in its DER form. */
const ED25519 = Buffer.from('302a300506032b6570032100', 'hex')

export const unsigned = (): Error =>
  Object.assign(unauthenticated('The delivery signature is invalid or expired'), {
    code: 'invalid_signature'
  })
export const makeSecret = (): string => PREFIX + randomBytes(32).toString('base64')
export const makeToken = (): string => randomBytes(32).toString('base64url')

export function isSame(given: unknown, wanted: string): boolean {
  const one = createHmac('sha256', PREFIX).update(String(given)).digest()
  return (
    typeof given === 'string' && timingSafeEqual(one, createHmac('sha256', PREFIX).update(wanted).digest())
  )
}

function secondsOf(time: unknown): string {
  if (typeof time !== 'string' || !/^\d{1,12}$/.test(time)) throw unsigned()
  if (Math.abs(Date.now() / 1_000 - Number(time)) > TOLERANCE_SECONDS) throw unsigned()
  return time
}

/** Standard Webhooks; the id of the delivery. */
export function checkWebhook(secret: string, headers: IncomingHttpHeaders, body: Buffer): string {
  const { 'webhook-id': id, 'webhook-signature': given } = headers
  const time = secondsOf(headers['webhook-timestamp'])
  if (typeof id !== 'string' || id === '' || id.length > 200 || typeof given !== 'string') throw unsigned()
  const wanted = signWebhook(secret, id, time, body)
  if (
    !given
      .split(' ')
      .slice(0, MOST_SIGNATURES)
      .some((it) => isSame(it, wanted))
  )
    throw unsigned()
  return id
}

export function signWebhook(secret: string, id: string, time: string, body: Buffer | string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64')}`
}

export function checkSlack(secret: string, headers: IncomingHttpHeaders, body: Buffer): void {
  const time = secondsOf(headers['x-slack-request-timestamp'])
  const wanted = `v0=${createHmac('sha256', secret).update(`v0:${time}:`).update(body).digest('hex')}`
  if (!isSame(headers['x-slack-signature'], wanted)) throw unsigned()
}

export function checkDiscord(publicKey: string, headers: IncomingHttpHeaders, body: Buffer): void {
  const time = secondsOf(headers['x-signature-timestamp'])
  const given = headers['x-signature-ed25519']
  if (typeof given !== 'string' || !/^[0-9a-f]{128}$/i.test(given)) throw unsigned()
  const key = createPublicKey({
    key: Buffer.concat([ED25519, Buffer.from(publicKey, 'hex')]),
    format: 'der',
    type: 'spki'
  })
  if (!verify(null, Buffer.concat([Buffer.from(time), body]), key, Buffer.from(given, 'hex')))
    throw unsigned()
}
