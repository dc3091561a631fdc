import type { KeyObject } from 'node:crypto'
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign } from 'node:crypto'
import type { Kernel } from 'agent-platform'
import { notFound } from 'agent-platform'
import type { SignedStatement } from '../contract.ts'
import type { ProvenanceSettings } from '../settings.ts'
import type { SigningKeyRow, SigningKeyStore } from '../stores/signing-keys.ts'
import { sigstoreBundle } from './statement.ts'

export type SigningKeys = ReturnType<typeof createSigningKeys>

const DAY_MS = 86_400_000

interface Deps extends Pick<Kernel, 'vault' | 'log'> {
  settings: ProvenanceSettings
  signingKeyStore: SigningKeyStore
}

/** The keys by which a project signs bundles (Ed25519), each for a while; their public halves stay, so that bundles do. */
export function createSigningKeys({ vault, log, settings, signingKeyStore }: Deps) {
  const sealing = vault.at('provenance.signing_key')

  async function make(project: string, generation: number): Promise<void> {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const id = hash('sha256', publicKey.export({ type: 'spki', format: 'der' }))
    const sealed = await sealing.seal(
      project,
      id,
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    )
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const signsUntil = new Date(Date.now() + settings.keyDays * DAY_MS).toISOString()
    await signingKeyStore.insert({ project, generation, keyId: id, publicKey: pem, sealed, signsUntil })
    log.info({ project, generation }, 'a new key signs bundles')
  }

  async function current(project: string): Promise<{ id: string; key: KeyObject }> {
    let row = await signingKeyStore.findNewest(project)
    if (!row || Date.parse(row.signsUntil) <= Date.now()) {
      await make(project, (row?.generation ?? 0) + 1)
      row = await signingKeyStore.findNewest(project)
    }
    // It was the newest one a moment ago.
    if (!row?.sealed) return current(project)
    return { id: row.keyId, key: createPrivateKey(await sealing.open(project, row.keyId, row.sealed)) }
  }

  const find = async (id: string) => {
    const row = await signingKeyStore.find(id)
    return row && { project: row.project, ...shown(row) }
  }

  return {
    find,

    /** A statement in a bundle, and the public half of the key that signed it. */
    async statement(project: string, statementOf: (keyId: string) => object): Promise<SignedStatement> {
      const { id, key } = await current(project)
      const bundle = sigstoreBundle(statementOf(id), id, (bytes) => sign(null, bytes, key))
      const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
      return { keyId: id, publicKey, bundle }
    },

    /** The key that signs now, and a signature of what its id has a part in. */
    async sign<T>(project: string, work: (keyId: string, sign: (bytes: Buffer) => Buffer) => T): Promise<T> {
      const { id, key } = await current(project)
      return work(id, (bytes) => sign(null, bytes, key))
    },

    /** For anybody: a public key tells nothing of what it signed. */
    async read(id: string) {
      const row = await signingKeyStore.find(id)
      if (!row) throw notFound('Signing key')
      return shown(row)
    }
  }
}

const shown = ({ keyId: id, publicKey, createdAt, signsUntil }: SigningKeyRow) => ({
  id,
  algorithm: 'Ed25519' as const,
  publicKey,
  createdAt,
  signsUntil
})
