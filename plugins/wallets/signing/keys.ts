import { randomBytes } from 'node:crypto'
import type { Kernel, Trx } from 'agent-platform'
import { unavailable, upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { Address, Hex } from 'viem'
import { privateKeyToAddress, sign } from 'viem/accounts'
import { bytesToHex, getAddress, isAddress, recoverAddress } from 'viem/utils'
import type { WalletSettings } from '../settings.ts'
import type { KeyStore } from '../stores/keys.ts'
import type { KeyPlace, RemoteSigner } from './signer.ts'

/** `r`, `s` and `v`, 27 or 28. */
const SIGNATURE = /^0x[0-9a-fA-F]{128}1[bcBC]$/

export type Keys = ReturnType<typeof createKeys>

export interface KeyOf extends KeyPlace {
  readonly signer: string
  readonly address: Address
}

/** A key that was made, and is not kept yet. */
export interface MadeKey {
  readonly address: Address
  readonly signer: string
  /** Null where another keeps it. */
  readonly sealed: string | null
}

interface Deps extends Pick<Kernel, 'vault' | 'points'> {
  settings: WalletSettings
  keyStore: KeyStore
}

/** The only place where private keys are made, and opened to sign. Its callers are in this folder, but for `make` and `keep`. */
export function createKeys({ vault, points, settings, keyStore }: Deps) {
  const sealing = vault.at('wallets.key')

  function remote(key: string) {
    const found = points.all('wallets.signer').find((it) => it.key === key)
    if (found) return found.value
    throw unavailable(`No pack that is on brings the signer ${key}`, { code: 'signer_off' })
  }

  async function make(place: KeyPlace): Promise<MadeKey> {
    const { signer } = settings
    if (signer !== 'local') return { signer, sealed: null, address: await addressBy(signer, place) }
    const key = randomKey()
    return {
      signer,
      address: privateKeyToAddress(key),
      sealed: await sealing.seal(place.project, place.walletId, key)
    }
  }

  async function keep(trx: Trx, { project, walletId }: KeyPlace, { sealed }: MadeKey): Promise<void> {
    if (sealed !== null) await keyStore.insert(trx, { project, walletId, sealed })
  }

  /** 65 bytes over these 32. */
  async function signDigest(trx: Trx | undefined, of: KeyOf, digest: Hex): Promise<Hex> {
    const { project, walletId, signer } = of
    if (signer !== 'local') return signatureBy(of, digest)
    const sealed = await keyStore.find(trx, project, walletId)
    if (sealed === undefined) throw unavailable('The key of the wallet is gone', { code: 'key_unreadable' })
    const key = (await sealing.open(project, walletId, sealed)) as Hex
    return sign({ hash: digest, privateKey: key, to: 'hex' })
  }

  /** Another one is not believed: what it gives is looked at, and it is not waited for. 502 or 504 (`signer_failed`), which name nothing of what it said. */
  async function asked<T>(signer: string, work: (it: RemoteSigner) => Promise<T>): Promise<T> {
    const over = Promise.withResolvers<never>()
    const code = 'signer_failed'
    const slow = () => over.reject(upstreamTimeout(`The signer ${signer} did not answer in time`, { code }))
    const found = remote(signer)
    const timer = setTimeout(slow, settings.signerSeconds * 1_000)
    try {
      const made = Promise.try(() => work(found)).catch((cause) => {
        throw upstreamFailed(`The signer ${signer} refused`, { code, cause })
      })
      return await Promise.race([made, over.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async function addressBy(signer: string, place: KeyPlace): Promise<Address> {
    const address: unknown = await asked(signer, (it) => it.create(place))
    if (typeof address === 'string' && isAddress(address, { strict: false })) return getAddress(address)
    throw upstreamFailed(`The signer ${signer} gave no address`, { code: 'signer_failed' })
  }

  async function signatureBy(of: KeyOf, digest: Hex): Promise<Hex> {
    const signature: unknown = await asked(of.signer, (it) => it.sign(of, digest))
    if (typeof signature === 'string' && SIGNATURE.test(signature)) {
      const by = await recoverAddress({ hash: digest, signature: signature as Hex }).catch(() => undefined)
      if (by === of.address) return signature as Hex
    }
    throw upstreamFailed(`The signer ${of.signer} gave a signature that is not the wallet’s`, {
      code: 'signer_failed'
    })
  }

  return { make, keep, signDigest }
}

/** Of 2²⁵⁶ numbers about 2¹²⁸ are no keys. */
function randomKey(): Hex {
  for (;;)
    try {
      const key = bytesToHex(randomBytes(32))
      privateKeyToAddress(key)
      return key
    } catch {
      // Another one.
    }
}
