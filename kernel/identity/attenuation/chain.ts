import type { KeyObject } from 'node:crypto'
import { createHash, createPrivateKey, createPublicKey, hkdfSync, timingSafeEqual, verify } from 'node:crypto'
import type { Restrictions } from './restrictions.ts'
import { readRestrictions } from './restrictions.ts'

// The form of a token, which `apps-sdk/client/src/tokens.ts` writes:
//
//   apn_<root> . <restrictions> . <next> . <signature> … . <proof>
//
// all of it base64url but the mark and the dots. `root` is the public key of an API key, made of that by HKDF. A block has its
// restrictions (JSON), the public key of the next block, and a signature by the key before over the digest of all up to here.
// The proof is `k` and the last private key, by which its holder narrows the token further; or `s` and a signature by it, which seals.

export const TOKEN_MARK = 'apn_'
/** Longer ones are not looked at. */
export const MOST_BYTES = 4_096
export const MOST_BLOCKS = 8

const DERIVATION = 'agent-platform token root 1'
const BLOCK = 'agent-platform token block 1\n'
const SEAL = 'agent-platform token seal 1\n'
/** What stands before the 32 bytes of an Ed25519 key in DER. */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex')
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

export interface Block {
  readonly restrictions: Restrictions
  /** Digest of all up to here: names what is counted for the block, and is no secret. */
  readonly id: string
  readonly next: Buffer
  readonly signature: Buffer
}

/** A token as it is read: not believed until it was verified. */
export interface Chain {
  readonly root: Buffer
  readonly blocks: readonly Block[]
  readonly proof: { readonly key: Buffer } | { readonly seal: Buffer }
}

const privateOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
const publicOf = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' })
const rawOf = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length)

/** The public key that an API key derives, by which its tokens are verified. */
export const rootOf = (apiKey: string): Buffer =>
  rawOf(privateOf(Buffer.from(hkdfSync('sha256', apiKey, '', DERIVATION, KEY_BYTES))))

export const isToken = (text: string): boolean => text.startsWith(TOKEN_MARK)

/** Undefined unless it is one in its one spelling, with restrictions that are all known. */
export function readChain(token: string): Chain | undefined {
  if (!isToken(token) || token.length > MOST_BYTES) return undefined
  const parts = token.slice(TOKEN_MARK.length).split('.')
  const [first = ''] = parts
  const last = parts.at(-1) ?? ''
  const count = (parts.length - 2) / 3
  if (!Number.isInteger(count) || count < 1 || count > MOST_BLOCKS) return undefined
  const root = bytesOf(first, KEY_BYTES)
  const proof = proofOf(last)
  if (!root || !proof) return undefined
  const blocks: Block[] = []
  for (let at = 1, id = first; at < parts.length - 1; at += 3) {
    const [text = '', after = '', signed = ''] = parts.slice(at, at + 3)
    const json = bytesOf(text)
    const restrictions = json && readRestrictions(json.toString())
    const next = bytesOf(after, KEY_BYTES)
    const signature = bytesOf(signed, SIGNATURE_BYTES)
    if (!restrictions || !next || !signature) return undefined
    id = createHash('sha256').update(`${id}.${text}.${after}`).digest('base64url')
    blocks.push({ restrictions, id, next, signature })
  }
  return { root, blocks, proof }
}

/** Whether each block is signed by the key that the one before names, and the holder has the last one or its seal. */
export function isVerified({ root, blocks, proof }: Chain): boolean {
  let key = root
  let id = ''
  for (const block of blocks) {
    if (!isSigned(BLOCK + block.id, key, block.signature)) return false
    key = block.next
    id = block.id
  }
  return 'seal' in proof
    ? isSigned(SEAL + id, key, proof.seal)
    : timingSafeEqual(rawOf(privateOf(proof.key)), key)
}

function isSigned(text: string, key: Buffer, signature: Buffer): boolean {
  try {
    return verify(null, Buffer.from(text), publicOf(key), signature)
  } catch {
    // Not every 32 bytes are a key.
    return false
  }
}

function proofOf(text: string): Chain['proof'] | undefined {
  const rest = text.slice(1)
  const key = text.startsWith('k') ? bytesOf(rest, KEY_BYTES) : undefined
  const seal = text.startsWith('s') ? bytesOf(rest, SIGNATURE_BYTES) : undefined
  return key ? { key } : seal && { seal }
}

/** Undefined where it is not how these bytes are written, or they are not so many. */
function bytesOf(text: string, count?: number): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  const isAsked = count === undefined ? bytes.length > 0 : bytes.length === count
  return isAsked && bytes.toString('base64url') === text ? bytes : undefined
}
