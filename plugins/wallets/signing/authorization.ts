import { randomBytes } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { bytesToHex, hashTypedData } from 'viem/utils'
import type { Network } from '../networks/network.ts'

/** By EIP-3009: it lets anyone have this paid, once, until then. */
export interface Authorization {
  readonly from: Address
  readonly to: Address
  readonly units: bigint
  /** Seconds since 1970; left out: it has been good all along. */
  readonly validAfter?: number
  readonly validBefore: number
  readonly nonce: Hex
}

export const newNonce = (): Hex => bytesToHex(randomBytes(32))

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' }
  ]
} as const

/** What is signed. The domain is that of the settings: what a server says about the contract counts for nothing. */
export function digestOfAuthorization({ chainId, stablecoin }: Network, authorization: Authorization): Hex {
  if (!stablecoin) throw new Error('A network without a stablecoin')
  const { from, to, units: value, validAfter = 0, validBefore, nonce } = authorization
  const { name, version, address: verifyingContract } = stablecoin
  return hashTypedData({
    domain: { name, version, chainId, verifyingContract },
    types,
    primaryType: 'TransferWithAuthorization',
    message: { from, to, value, validAfter: BigInt(validAfter), validBefore: BigInt(validBefore), nonce }
  })
}
