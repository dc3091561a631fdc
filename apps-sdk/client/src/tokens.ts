/**
 * What a token is to be good for. Each restriction takes away, and what is left out stays as it was; the server refuses a token
 * with one that it does not know.
 */
export interface Restrictions {
  /** Good for nothing from then on, by the clock of the server. */
  readonly expires?: Date | string
  readonly scopes?: readonly string[]
  /** Ids: these agents and what belongs to them, and nothing else. */
  readonly agents?: readonly string[]
  /** Names or ids: no other tool is called in runs that begin with it. */
  readonly tools?: readonly string[]
  /** `host`, `*.host` or `host:port`: what calls of tools in its runs connect to. */
  readonly hosts?: readonly string[]
  /** Credits, such as `"2.50"`: what its runs cost in total. */
  readonly spend?: string
}

/** What a token says of itself. Nothing is verified by that: the server does. */
export interface InspectedToken {
  /** What each of its holders took away, the first one first; all of it counts. */
  readonly blocks: readonly Restrictions[]
  /** Nobody narrows it further. */
  readonly sealed: boolean
}

// kernel/identity/attenuation/chain.ts of the platform tells the form, and verifies it.
const MARK = 'apn_'
const KEY = /^(?:ap_live_|ap_test_|apk_)[0-9A-Za-z]{38,70}$/
const MOST_BYTES = 4_096
const MOST_BLOCKS = 8
const DERIVATION = 'agent-platform token root 1'
const BLOCK = 'agent-platform token block 1\n'
const SEAL = 'agent-platform token seal 1\n'
/** What stands before the 32 bytes of a private Ed25519 key in DER. */
const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]
const NAMES = ['expires', 'scopes', 'agents', 'tools', 'hosts', 'spend']
const ED25519 = { name: 'Ed25519' }
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** A token that may less than the key or token that it is made of; nobody is asked. Whoever has it narrows it further. */
export async function narrow(keyOrToken: string, restrictions: Restrictions): Promise<string> {
  const text = encode(new TextEncoder().encode(JSON.stringify(written(restrictions))))
  const { parts, seed } = await holding(keyOrToken)
  const made = (await crypto.subtle.generateKey(ED25519, true, ['sign', 'verify'])) as { privateKey: Key }
  const { x: next = '', d: last = '' } = await crypto.subtle.exportKey('jwk', made.privateKey)
  const all = [...parts, text, next]
  const signature = await sign(seed, BLOCK + (await digestOf(all)))
  return checked([...all, signature, `k${last}`])
}

/** The same token, which nobody narrows any further. */
export async function seal(token: string): Promise<string> {
  if (!token.startsWith(MARK)) throw new TypeError('Only a token is sealed, and that is none')
  const { parts, seed } = await holding(token)
  return checked([...parts, `s${await sign(seed, SEAL + (await digestOf(parts)))}`])
}

/** What stands in a token. Throws where it is none. */
export function inspect(token: string): InspectedToken {
  const { parts, proof } = read(token)
  const blocks: Restrictions[] = []
  for (let at = 1; at < parts.length; at += 3)
    blocks.push(JSON.parse(new TextDecoder().decode(decode(parts[at] as string))))
  return { blocks, sealed: proof.startsWith('s') }
}

/** Said here, where its author reads it: the server only refuses. */
function written(restrictions: Restrictions): Record<string, unknown> {
  const unknown = Object.keys(restrictions).find((name) => !NAMES.includes(name))
  if (unknown !== undefined) throw new TypeError(`There is no restriction ${unknown}`)
  const { expires, hosts, ...others } = restrictions
  const date = expires === undefined ? undefined : new Date(expires)
  if (date && Number.isNaN(date.getTime())) throw new TypeError('expires is no time')
  return {
    ...(date && { expires: date.toISOString() }),
    ...others,
    ...(hosts && { hosts: hosts.map((host) => host.toLowerCase()) })
  }
}

/** All before the proof, and the private key with which it goes on. */
async function holding(text: string): Promise<{ parts: readonly string[]; seed: Uint8Array }> {
  if (!text.startsWith(MARK)) {
    if (!KEY.test(text)) throw new TypeError('That is neither an API key nor a token')
    const seed = await seedOf(text)
    const { x: root = '' } = await crypto.subtle.exportKey('jwk', await privateKey(seed))
    return { parts: [root], seed }
  }
  const { parts, proof } = read(text)
  if (proof.startsWith('s')) throw new TypeError('The token is sealed')
  return { parts, seed: decode(proof.slice(1)) }
}

function read(token: string): { parts: string[]; proof: string } {
  const parts = token.slice(MARK.length).split('.')
  const proof = parts.pop() ?? ''
  const isOne = token.startsWith(MARK) && parts.length > 3 && parts.length % 3 === 1 && /^[ks]/.test(proof)
  if (!isOne) throw new TypeError('That is no token')
  return { parts, proof }
}

function checked(parts: readonly string[]): string {
  const token = MARK + parts.join('.')
  if ((parts.length - 2) / 3 > MOST_BLOCKS) throw new RangeError(`A token is narrowed ${MOST_BLOCKS} times`)
  if (token.length > MOST_BYTES) throw new RangeError(`A token has at most ${MOST_BYTES} characters`)
  return token
}

/** Over all blocks, each with the digest before it; signatures left out. */
async function digestOf([root = '', ...parts]: readonly string[]): Promise<string> {
  let digest = root
  for (let at = 0; at < parts.length; at += 3) {
    const bytes = new TextEncoder().encode(`${digest}.${parts[at]}.${parts[at + 1]}`)
    digest = encode(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
  }
  return digest
}

async function seedOf(key: string): Promise<Uint8Array> {
  const bytes = (text: string) => new TextEncoder().encode(text)
  const secret = await crypto.subtle.importKey('raw', bytes(key), 'HKDF', false, ['deriveBits'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: bytes(DERIVATION) }
  return new Uint8Array(await crypto.subtle.deriveBits(how, secret, 256))
}

const privateKey = (seed: Uint8Array): Promise<Key> =>
  crypto.subtle.importKey('pkcs8', new Uint8Array([...PKCS8, ...seed]), ED25519, true, ['sign'])

async function sign(seed: Uint8Array, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  return encode(new Uint8Array(await crypto.subtle.sign(ED25519, await privateKey(seed), bytes)))
}

const encode = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '')

const decode = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
