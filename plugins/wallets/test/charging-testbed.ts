import { privateKeyToAccount } from 'viem/accounts'
import type { TestChain } from '../../../test/chain/chain.ts'
import type { Any } from './testbed.ts'

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

/** Someone with a stablecoin's worth, who signs payments by hand: each of them is another one. */
export async function payerOf(chain: TestChain, network: Any) {
  const { chainId, x402Name, stablecoin } = network
  const stranger = privateKeyToAccount(`0x${'42'.repeat(32)}`)
  await chain.mint(stranger.address, 1_000_000n)
  let nonces = 0
  const lastNonce = () => `0x${String(nonces).padStart(64, '0')}`

  /** The headers that show it. `signed`: what is signed instead. */
  async function payment({ version = 2, ...fields }: Any, signed: Any = {}): Promise<Record<string, string>> {
    nonces++
    const authorization = {
      ...{ from: stranger.address, value: '10000', validAfter: '0' },
      ...{ validBefore: String(Math.floor(Date.now() / 1_000) + 3_000) },
      nonce: lastNonce(),
      ...fields
    }
    const { address, name, version: of } = stablecoin
    const signature = await stranger.signTypedData({
      domain: { name, version: of, chainId, verifyingContract: address },
      types,
      primaryType: 'TransferWithAuthorization',
      message: { ...authorization, ...signed }
    })
    const payload = { signature, authorization }
    const paid =
      version === 2
        ? { x402Version: 2, accepted: { scheme: 'exact', network: `eip155:${chainId}` }, payload }
        : { x402Version: 1, scheme: 'exact', network: x402Name, payload }
    const text = Buffer.from(JSON.stringify(paid)).toString('base64')
    return { [version === 2 ? 'payment-signature' : 'x-payment']: text }
  }

  return { stranger, payment, lastNonce }
}
