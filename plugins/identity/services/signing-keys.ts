import { createHmac } from 'node:crypto'
import type { Kernel } from 'agent-platform'
import { newId } from 'agent-platform'
import type { JSONWebKeySet, JWK } from 'jose'
import { exportJWK, generateKeyPair } from 'jose'
import { HOME } from '../home.ts'
import type { Settings } from '../settings.ts'
import type { SigningKeyRow, SigningKeyStore } from '../stores/signing-keys.ts'

export type SigningKeys = ReturnType<typeof createSigningKeys>

/** The keys as they are now. The same object until they change. */
export interface KeySet {
  /** The one that signs comes first. */
  readonly privateKeys: readonly JWK[]
  readonly publicKeys: JSONWebKeySet
  /** For cookies. */
  readonly secrets: readonly string[]
}

interface Deps extends Pick<Kernel, 'vault' | 'remembered' | 'transaction'> {
  signingKeyStore: SigningKeyStore
  settings: Settings
}

const ALGORITHM = 'ES256'
/** So soon every instance, and who else reads the key set, knows of a new key: it signs nothing before. */
const ANNOUNCED_MS = 15 * 60_000
/** So long a key is shown after it signed its last token. */
const SHOWN_MS = 24 * 3_600_000
const BELIEVE_MS = 60_000
const DAY_MS = 24 * 3_600_000

/** Keys by which tokens are signed: sealed, replaced in turn, and shown before and after they are used. */
export function createSigningKeys({ vault, remembered, transaction, signingKeyStore, settings }: Deps) {
  const sealing = vault.at('identity.signing_key')
  let latest: { readonly kids: string; readonly set: KeySet } | undefined

  async function add(usableAt: Date, on: Parameters<SigningKeyStore['insert']>[0]): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true })
    const id = newId('sign')
    await signingKeyStore.insert(on, {
      id,
      publicKey: { ...(await exportJWK(publicKey)), kid: id, alg: ALGORITHM, use: 'sig' },
      sealed: await sealing.seal(HOME, id, JSON.stringify(await exportJWK(privateKey))),
      usableAt: usableAt.toISOString()
    })
  }

  const first = () =>
    transaction(async (trx) => {
      await signingKeyStore.lock(trx)
      if ((await signingKeyStore.list(trx)).length === 0) await add(new Date(), trx)
      return signingKeyStore.list(trx)
    })

  async function load(): Promise<KeySet> {
    const stored = await signingKeyStore.list()
    const rows = stored.length > 0 ? stored : await first()
    // A key that signs nothing yet is shown last.
    const signs = (row: SigningKeyRow) => Number(Date.parse(row.usableAt) <= Date.now())
    const ordered = [...rows].sort(
      (a, b) => signs(b) - signs(a) || Date.parse(b.usableAt) - Date.parse(a.usableAt)
    )
    const kids = ordered.map(({ id }) => id).join()
    if (latest?.kids === kids) return latest.set
    const privateKeys = await Promise.all(
      ordered.map(async ({ id, publicKey, sealed }) => ({
        ...publicKey,
        ...(JSON.parse(await sealing.open(HOME, id, sealed)) as JWK)
      }))
    )
    const set = {
      privateKeys,
      publicKeys: { keys: ordered.map(({ publicKey }) => publicKey) },
      secrets: privateKeys.map(({ d = '' }) => createHmac('sha256', d).update('cookies').digest('base64url'))
    }
    latest = { kids, set }
    return set
  }
  const known = remembered('identity.signing-keys', load, BELIEVE_MS)

  return {
    current: (): Promise<KeySet> => known.of(HOME),

    /** Adds a key where the latest has been there for long, or at once, and removes those that signed nothing for a day. */
    async rotate({ isDue = false } = {}): Promise<void> {
      await transaction(async (trx) => {
        await signingKeyStore.lock(trx)
        const rows = await signingKeyStore.list(trx)
        const [newest] = rows
        const age = newest ? Date.now() - Date.parse(newest.usableAt) : Number.POSITIVE_INFINITY
        if (isDue || age > settings.keyDays * DAY_MS)
          await add(new Date(Date.now() + (newest ? ANNOUNCED_MS : 0)), trx)
        const over = rows.filter(
          (_, at) => at > 0 && Date.parse((rows[at - 1] as SigningKeyRow).usableAt) < Date.now() - SHOWN_MS
        )
        await signingKeyStore.remove(
          trx,
          over.map(({ id }) => id)
        )
      })
      known.changed(HOME)
    },

    close: () => known[Symbol.dispose]()
  }
}
