import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** Who has the first may speak to the liaison, who has the second is one that has spoken to it. */
const prefixes = { liaison: 'lia', outsider: 'lio' } as const
type Kind = keyof typeof prefixes

const FORM = /^[Bb]earer +(lia|lio)_([0-9a-z]{26})_([A-Za-z0-9_-]{43})$/

export interface Token {
  readonly kind: Kind
  /** Of what it is for: it is found by that. */
  readonly id: string
  readonly hash: Buffer
}

/** A token of 256 random bits for the liaison or the outsider of that id, and what is kept of it. */
export function makeToken(id: string): { token: string; hash: Buffer } {
  const [kind, suffix] = id.split('_') as [Kind, string]
  const secret = randomBytes(32).toString('base64url')
  return { token: `${prefixes[kind]}_${suffix}_${secret}`, hash: hashOf(secret) }
}

/** The token of a request, if it has one of ours. */
export function readToken(authorization: string | undefined): Token | undefined {
  const [, prefix, suffix, secret] = FORM.exec(authorization ?? '') ?? []
  if (secret === undefined) return undefined
  const kind = prefix === prefixes.liaison ? 'liaison' : 'outsider'
  return { kind, id: `${kind}_${suffix}`, hash: hashOf(secret) }
}

export const isSame = (hash: Buffer, kept: Buffer): boolean => timingSafeEqual(hash, kept)

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
