import { createHash, randomBytes } from 'node:crypto'
import { newId } from 'agent-platform'

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** What a link has that is good once: an id, and a secret of which the hash alone is kept. */
export function newLink(type: string): { id: string; secretHash: Buffer; code: string } {
  const secret = randomBytes(32).toString('base64url')
  const id = newId(type)
  return { id, secretHash: hashOf(secret), code: `${id}.${secret}` }
}

/** What the code of a link names; undefined for what is none. */
export function readLink(type: string, code: string): { id: string; secretHash: Buffer } | undefined {
  const [, id = '', named, secret = ''] = /^(([a-z_]+)_[0-9a-z]{26})\.([\w-]{43})$/.exec(code) ?? []
  return named === type ? { id, secretHash: hashOf(secret) } : undefined
}
