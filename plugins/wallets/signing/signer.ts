import type { Address, Hex } from 'viem'

/** Where a key belongs. */
export interface KeyPlace {
  readonly project: string
  readonly walletId: string
}

/**
 * Keeps the keys of wallets elsewhere, such as in a hardware module; its key at the point is what `WALLET_SIGNER` names.
 * It is asked only by `wallets`, and after the wallet’s policy allowed what the digest stands for.
 */
export interface RemoteSigner {
  /** Makes a key on secp256k1; what address it has. Asked once a wallet. */
  create(place: KeyPlace): Promise<Address>
  /** Signs these 32 bytes as they are: `r`, `s` and `v` (27 or 28), 65 bytes. */
  sign(place: KeyPlace & { readonly address: Address }, digest: Hex): Promise<Hex>
}
