import type { KeyObject } from 'node:crypto'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_LENGTH = 12
const TAG_LENGTH = 16

/** Why a sealed text did not open is nobody's business: the same words for every cause. */
export const sealBroken = (): Error => new Error('The sealed value cannot be opened')

/** AES-256-GCM under a fresh random nonce, as base64url. Opens only with the same key and the same context. */
export function encrypt(key: KeyObject, context: readonly string[], value: Uint8Array): string {
  const nonce = randomBytes(NONCE_LENGTH)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_LENGTH })
  cipher.setAAD(bytesOf(context))
  const sealed = [nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat(sealed).toString('base64url')
}

/** What `encrypt` was given; throws `sealBroken` for anything else. */
export function decrypt(key: KeyObject, context: readonly string[], text: string): Buffer {
  const sealed = Buffer.from(text, 'base64url')
  if (sealed.length < NONCE_LENGTH + TAG_LENGTH || sealed.toString('base64url') !== text) throw sealBroken()
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_LENGTH), {
    authTagLength: TAG_LENGTH
  })
  decipher.setAAD(bytesOf(context))
  decipher.setAuthTag(sealed.subarray(-TAG_LENGTH))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_LENGTH, -TAG_LENGTH)), decipher.final()])
  } catch {
    throw sealBroken()
  }
}

/** JSON, so that no two contexts have the same bytes. */
const bytesOf = (context: readonly string[]): Buffer => Buffer.from(JSON.stringify(context))
