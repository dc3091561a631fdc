import type { JsonWebKey, KeyObject } from 'node:crypto'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { FlattenedSign, SignJWT } from 'jose'
import type { Knex } from 'knex'
import { newId } from '../contract/ids.ts'
import type { Wrapped, Wrapping } from '../database/vault/wrapping.ts'
import { placeOfSigningKey } from '../database/vault/wrapping.ts'
import type { Principal } from './ownership.ts'

/** Signed statements of who asks, for internal services, and the keys by which these check them. */
export interface Envelope {
  /**
   * A JWS (EdDSA, `typ: principal+jwt`) that is good for 60 seconds and one audience: `sub` is the principal's
   * id, beside `principalType`, `project`, `owner`, `scopes`, `initiator` if there is one, and `jti`, the
   * request's id.
   */
  sign(by: Principal, audience: string, requestId: string): Promise<string>
  /**
   * A detached signature (JWS, EdDSA) of a document that is public, such as an agent's card: what was signed is not in it. Its
   * header names the key, the key set, and `typ: JOSE`, so that it never passes for a statement of who asks.
   */
  signDocument(document: string): Promise<DetachedSignature>
  /** The public keys of everything that may still be good, newest first, as a JSON Web Key Set. */
  keys(): Promise<{ keys: JsonWebKey[] }>
}

/** As JWS has it in its flattened JSON form, both in base64url. */
export interface DetachedSignature {
  readonly protected: string
  readonly signature: string
}

const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND
const LIFETIME_S = 60
/** How long a key stays published after its last signature was made. */
const PUBLISHED_AFTER = LIFETIME_S * SECOND + DAY
/** How long a key signs. */
const ROTATE_AFTER = 30 * DAY

interface SigningKey {
  readonly kid: string
  readonly key: KeyObject
  readonly signsUntil: number
}
interface Row extends Wrapped {
  readonly id: string
  readonly generation: number
  readonly publicKey: JsonWebKey
  readonly signsUntil: string | Date
}

interface Options {
  readonly knex: Knex
  readonly vault: Wrapping
  readonly baseUrl: string
  readonly log: Pick<FastifyBaseLogger, 'info'>
}

export function createEnvelope({ knex, vault, baseUrl, log }: Options): Envelope {
  let signing: SigningKey | undefined

  const table = () => knex('kernel.signing_key')
  const newest = (): Promise<Row | undefined> => table().orderBy('generation', 'desc').first()

  /** Of several instances that make a generation at the same time one wins, and all of them use that one. */
  async function make(generation: number): Promise<void> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const id = newId('sk')
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'EdDSA', use: 'sig' }
    const key = privateKey.export({ format: 'der', type: 'pkcs8' })
    const made = await vault.storing((trx, wrap) =>
      trx('kernel.signing_key')
        .insert({
          id,
          generation,
          publicKey: JSON.stringify(jwk),
          ...wrap(placeOfSigningKey(id), key),
          signsUntil: new Date(Date.now() + ROTATE_AFTER)
        })
        .onConflict('generation')
        .ignore()
        .returning('id')
    )
    if (made.length) log.info({ kid: id, generation }, 'A new key signs principal envelopes')
    await table()
      .where('signsUntil', '<', new Date(Date.now() - PUBLISHED_AFTER))
      .delete()
  }

  async function current(): Promise<SigningKey> {
    if (signing && signing.signsUntil > Date.now()) return signing
    let row = await newest()
    if (!row || +new Date(row.signsUntil) <= Date.now()) {
      await make((row?.generation ?? 0) + 1)
      row = await newest()
    }
    if (!row) throw new Error('There is no key to sign with')
    const der = vault.unwrap(placeOfSigningKey(row.id), row)
    signing = {
      kid: row.id,
      key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
      signsUntil: +new Date(row.signsUntil)
    }
    return signing
  }

  return {
    async sign(by, audience, requestId) {
      const { kid, key } = await current()
      const { id, type, project, owner, scopes, initiator } = by
      return new SignJWT({ principalType: type, project, owner, scopes: [...scopes], initiator })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'principal+jwt', kid })
        .setIssuer(baseUrl)
        .setSubject(id)
        .setAudience(audience)
        .setJti(requestId)
        .setIssuedAt()
        .setExpirationTime(`${LIFETIME_S}s`)
        .sign(key)
    },

    async signDocument(document) {
      const { kid, key } = await current()
      const jws = await new FlattenedSign(Buffer.from(document))
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JOSE', kid, jku: `${baseUrl}/.well-known/jwks.json` })
        .sign(key)
      return { protected: jws.protected as string, signature: jws.signature }
    },

    async keys() {
      await current()
      const rows: Pick<Row, 'publicKey'>[] = await table()
        .select('publicKey')
        .where('signsUntil', '>', new Date(Date.now() - PUBLISHED_AFTER))
        .orderBy('generation', 'desc')
      return { keys: rows.map(({ publicKey }) => publicKey) }
    }
  }
}
