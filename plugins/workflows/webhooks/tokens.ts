import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

const SHOWN = 8
/** Of an id, ahead of what cannot be guessed. */
const ID_LENGTH = 26
const FORM = new RegExp(`^whk_[0-9a-z]{${ID_LENGTH}}_[0-9a-f]{64}$`)

export const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** A token of a webhook: its id, by which it is found, and 256 bits by chance. */
export function makeToken(id: string) {
  const token = `whk_${id.slice(-ID_LENGTH)}_${randomBytes(32).toString('hex')}`
  const prefix = token.slice(0, 'whk_'.length + ID_LENGTH + 1 + SHOWN)
  return { token, prefix, hash: hashOf(token) }
}

/** The id of the webhook that the token says it is of. */
export const idOf = (token: string): string =>
  FORM.test(token) ? `webhook_${token.slice('whk_'.length, 'whk_'.length + ID_LENGTH)}` : 'webhook_'

const NONE = Buffer.alloc(32)
/** In the same time whether there is something to compare with or not. */
export const isToken = (token: string, known: Buffer | undefined): boolean =>
  timingSafeEqual(hashOf(token), known ?? NONE) && known !== undefined
