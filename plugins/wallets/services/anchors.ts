import { digestOf, unavailable } from 'agent-platform'
import type { Address, Hex } from 'viem'
import { encodeFunctionData, parseAbi } from 'viem/utils'
import type { Anchored } from '../contract.ts'
import type { Chain } from '../networks/chain.ts'
import type { Networks } from '../networks/networks.ts'
import type { TransferRow } from '../rows.ts'
import type { OwnTransactions } from './own-transactions.ts'

interface Deps {
  networks: Networks
  ownTransactions: OwnTransactions
}

const NOT_CONFIGURED = 'anchoring_not_configured'
const easAbi = parseAbi(['function timestamp(bytes32 data) returns (uint64)'])

/** Digests on a chain, in transactions from the operator’s wallet to itself or to EAS. */
export function createAnchors({ networks, ownTransactions }: Deps) {
  async function anchor(digest: Hex): Promise<Anchored> {
    const operator = await ownTransactions.operator(NOT_CONFIGURED)
    const chain = networks.of(operator.wallet)
    const own = operator.wallet.address as Address
    // One that another transaction took the place of was written nowhere: then it has its next turn.
    for (let turn = 0; ; turn++) {
      const requestKey = digestOf(['anchor', digest, turn])
      // EAS takes the same bytes once, from whomever: who was faster must not keep them from the chain.
      const eas = turn === 0 ? await contractOf(chain) : undefined
      const call = eas
        ? { to: eas, data: encodeFunctionData({ abi: easAbi, args: [digest] }) }
        : { to: own, data: digest }
      const row = await ownTransactions.send(operator, { kind: 'anchor', ...call, requestKey })
      const anchored = await anchoredOf(row, own, chain)
      if (anchored) return anchored
    }
  }

  async function checkAnchor(): Promise<void> {
    networks.of((await ownTransactions.operator(NOT_CONFIGURED)).wallet)
  }

  return { anchor, checkAnchor }
}

/** A call of an address without code succeeds, and writes nothing down that anybody could ask for. */
async function contractOf({ network, ask }: Chain): Promise<Address | undefined> {
  const { id, eas } = network
  if (eas && (await ask<Hex>('eth_getCode', [eas, 'latest'])) === '0x')
    throw unavailable(`There is no contract at the address of EAS on ${id}`, { code: 'network_mismatch' })
  return eas
}

/** Undefined where it came to nothing. */
async function anchoredOf(row: TransferRow, own: Address, chain: Chain): Promise<Anchored | undefined> {
  const { status, network, chainId, hash, to } = row
  if (status !== 'pending' && status !== 'confirmed') return undefined
  const receipt = status === 'confirmed' && hash ? await chain.receipt(hash) : undefined
  const block = receipt?.blockNumber ?? null
  const contract = to.toLowerCase() === own.toLowerCase() ? null : to
  // A chain that has lost it since will have it again, or not.
  return {
    status: block === null ? 'pending' : 'confirmed',
    ...{ network, chainId, hash, block, contract, from: own }
  }
}
