import { unavailable } from 'agent-platform'
import type { Address, Hex } from 'viem'
import {
  decodeFunctionResult,
  encodeEventTopics,
  encodeFunctionData,
  hexToBigInt,
  hexToNumber,
  numberToHex
} from 'viem/utils'
import type { Asset } from '../amounts.ts'
import type { Network } from './network.ts'
import type { Rpc } from './rpc.ts'
import { tokenAbi } from './token.ts'

export type Chain = ReturnType<typeof createChain>

/** A call as the network would make it. */
export interface Draft {
  readonly from: Address
  readonly to: Address
  readonly value: bigint
  readonly data: Hex
}

interface RpcLog {
  readonly address: string
  readonly topics: readonly Hex[]
  readonly data: Hex
}

export interface Receipt {
  readonly transactionHash: Hex
  readonly blockNumber: number
  readonly succeeded: boolean
}

/** What is asked of one network. The first question is which one it is: another chain than its settings name is a 503. */
export function createChain(network: Network, rpc: Rpc) {
  let checked: Promise<void> | undefined

  async function check(): Promise<void> {
    const chainId = hexToNumber(await rpc<Hex>('eth_chainId'))
    if (chainId !== network.chainId)
      throw unavailable(
        `The server of the network ${network.id} serves chain ${chainId}, not ${network.chainId}`,
        {
          code: 'network_mismatch'
        }
      )
  }

  async function ask<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    checked ??= check().catch((error) => {
      checked = undefined
      throw error
    })
    await checked
    return rpc<T>(method, params)
  }

  async function balance(address: Address, asset: Asset): Promise<bigint> {
    if (asset === 'native') return hexToBigInt(await ask<Hex>('eth_getBalance', [address, 'latest']))
    const { stablecoin } = network
    if (!stablecoin) return 0n
    const of = { abi: tokenAbi, functionName: 'balanceOf' } as const
    const data = encodeFunctionData({ ...of, args: [address] })
    const said = await ask<Hex>('eth_call', [{ to: stablecoin.address, data }, 'latest'])
    if (said === '0x')
      throw unavailable(`There is no contract at the stablecoin’s address on ${network.id}`, {
        code: 'network_mismatch'
      })
    return decodeFunctionResult({ ...of, data: said })
  }

  return {
    network,
    ask,
    balance,
    head: async () => hexToNumber(await ask<Hex>('eth_blockNumber')),
    /** How many transactions of that address are in blocks. */
    nonce: async (address: Address) =>
      hexToNumber(await ask<Hex>('eth_getTransactionCount', [address, 'latest'])),

    /** Makes the call without any effect; rejects with what the network says where it would fail. Gives the gas that it takes. */
    async simulate({ from, to, value, data }: Draft): Promise<bigint> {
      const call = { from, to, value: numberToHex(value), data }
      await ask('eth_call', [call, 'latest'])
      return hexToBigInt(await ask<Hex>('eth_estimateGas', [call, 'latest']))
    },

    /** What a gas costs now: enough for twice the base fee of the latest block. */
    async fees(): Promise<{ maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }> {
      const [block, tip] = await Promise.all([
        ask<{ baseFeePerGas?: Hex }>('eth_getBlockByNumber', ['latest', false]),
        ask<Hex>('eth_maxPriorityFeePerGas').catch(() => numberToHex(1_000_000_000n))
      ])
      const maxPriorityFeePerGas = hexToBigInt(tip)
      return {
        maxFeePerGas: 2n * hexToBigInt(block.baseFeePerGas ?? '0x0') + maxPriorityFeePerGas,
        maxPriorityFeePerGas
      }
    },

    send: (raw: Hex) => ask<Hex>('eth_sendRawTransaction', [raw]),

    /** Whether an authorization was used, as that block has it; false where there is no such block any more. */
    async isUsed(from: Address, nonce: Hex, block: number | 'latest'): Promise<boolean> {
      const of = { abi: tokenAbi, functionName: 'authorizationState' } as const
      const call = {
        to: network.stablecoin?.address,
        data: encodeFunctionData({ ...of, args: [from, nonce] })
      }
      return decodeFunctionResult({ ...of, data: await ask<Hex>('eth_call', [call, blockOf(block)]) })
    },

    /** The transaction in which an authorization was used, since that block. */
    async findUsed(from: Address, nonce: Hex, since: number): Promise<Hex | undefined> {
      const topics = encodeEventTopics({
        abi: tokenAbi,
        eventName: 'AuthorizationUsed',
        args: { authorizer: from, nonce }
      })
      const range = { fromBlock: numberToHex(since), toBlock: 'latest' }
      const [log] = await ask<readonly { transactionHash: Hex }[]>('eth_getLogs', [
        { ...range, address: network.stablecoin?.address, topics }
      ])
      return log?.transactionHash
    },

    /** Whether that transaction, which was named by someone else, holds a payment of the stablecoin. */
    async hasPaid(
      hash: Hex,
      { from, to, units }: { from: Address; to: Address; units: bigint }
    ): Promise<boolean> {
      const found = await ask<{ status: Hex; logs: readonly RpcLog[] } | null>('eth_getTransactionReceipt', [
        hash
      ])
      const topics = encodeEventTopics({ abi: tokenAbi, eventName: 'Transfer', args: { from, to } })
      return (
        found?.status === '0x1' &&
        found.logs.some(
          (log) =>
            log.address.toLowerCase() === network.stablecoin?.address.toLowerCase() &&
            topics.every((topic, index) => log.topics[index] === topic) &&
            hexToBigInt(log.data) === units
        )
      )
    },

    /** Of a block, in seconds since 1970. */
    time: async (block: number | 'latest'): Promise<number> =>
      hexToNumber((await ask<{ timestamp: Hex }>('eth_getBlockByNumber', [blockOf(block), false])).timestamp),

    async receipt(hash: Hex): Promise<Receipt | undefined> {
      const found = await ask<{ blockNumber: Hex; status: Hex } | null>('eth_getTransactionReceipt', [hash])
      if (!found?.blockNumber) return undefined
      return {
        transactionHash: hash,
        blockNumber: hexToNumber(found.blockNumber),
        succeeded: found.status === '0x1'
      }
    }
  }
}

const blockOf = (block: number | 'latest') => (block === 'latest' ? block : numberToHex(block))
