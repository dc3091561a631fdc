import type { KeyObject } from 'node:crypto'
import { createPublicKey, hash, verify } from 'node:crypto'
import { Closed, canonicalJson, compileSchema } from 'agent-platform'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Sha256 } from '../schemas/report.ts'
import { MANIFEST } from './manifest.ts'

const STATEMENT = 'https://in-toto.io/Statement/v1'
const PREDICATE = 'urn:agent-platform:archive:v1'
const PAYLOAD = 'application/vnd.in-toto+json'

const Base64 = Type.String({ maxLength: 20_000, pattern: '^[A-Za-z0-9+/]+={0,2}$' })
const Signed = Closed({
  keyId: Sha256,
  publicKey: Type.String({ maxLength: 2_000 }),
  bundle: Closed({
    mediaType: Type.String({ maxLength: 200 }),
    verificationMaterial: Closed({
      publicKey: Closed({ hint: Sha256 }),
      tlogEntries: Type.Array(Type.Unknown(), { maxItems: 0 })
    }),
    dsseEnvelope: Closed({
      payload: Base64,
      payloadType: Type.Literal(PAYLOAD),
      signatures: Type.Array(Closed({ sig: Base64, keyid: Sha256 }), { minItems: 1, maxItems: 1 })
    })
  })
})
const checkShape = compileSchema(Signed)

/** What is signed of an archive: its manifest, which has the digests of everything else. */
export const statementOf = (manifest: Buffer, issuer: string, keyId: string): object => ({
  _type: STATEMENT,
  subject: [{ name: MANIFEST, digest: { sha256: hash('sha256', manifest) } }],
  predicateType: PREDICATE,
  predicate: { issuer, key: `${issuer}/v1/provenance/keys/${keyId}` }
})

/** The key that signed this manifest, and who says that it is theirs; a failure unless the signature is right. */
export function signerOf(
  signature: Buffer,
  manifest: Buffer,
  fail: (text: string) => Error
): { keyId: string; issuer: string } {
  const { keyId, publicKey, bundle } = parsed(signature, fail)
  const { payload, payloadType, signatures } = bundle.dsseEnvelope
  const body = Buffer.from(payload, 'base64')
  const key = keyOf(publicKey)
  if (!key || hash('sha256', key.export({ type: 'spki', format: 'der' })) !== keyId)
    throw fail('names another key than it has')
  const start = Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `)
  const isRight = verify(
    null,
    Buffer.concat([start, body]),
    key,
    Buffer.from(signatures[0]?.sig ?? '', 'base64')
  )
  if (!isRight) throw fail('is wrong')
  const issuer = issuerOf(body)
  if (issuer === undefined || canonicalJson(statementOf(manifest, issuer, keyId)) !== body.toString())
    throw fail('is that of another archive')
  return { keyId, issuer }
}

/** Whoever made the key may sign anything with it. */
function issuerOf(statement: Buffer): string | undefined {
  try {
    const { issuer } = JSON.parse(statement.toString()).predicate
    return typeof issuer === 'string' ? issuer : undefined
  } catch {
    return undefined
  }
}

function parsed(signature: Buffer, fail: (text: string) => Error): Static<typeof Signed> {
  let value: unknown
  try {
    value = JSON.parse(signature.toString())
  } catch {
    throw fail('is not JSON')
  }
  const fault = checkShape(value)
  if (fault) throw fail(`is no signature: ${fault.at} ${fault.text}`)
  // Written in one way alone, so that none of its bytes may be another one.
  if (canonicalJson(value) !== signature.toString()) throw fail('is not written as platforms write it')
  return value as Static<typeof Signed>
}

function keyOf(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : undefined
  } catch {
    return undefined
  }
}
