import { conflict, unavailable } from 'agent-platform'
import type { Address, Hex } from 'viem'
import { encodeFunctionData, formatGwei, parseGwei } from 'viem/utils'
import { decimalOf } from '../amounts.ts'
import type { Chain, Draft } from '../networks/chain.ts'
import type { Network } from '../networks/network.ts'
import { RpcError } from '../networks/rpc.ts'
import { tokenAbi } from '../networks/token.ts'
import type { WalletRow } from '../rows.ts'
import type { Payment } from '../signing/policy.ts'
import type { Order } from '../signing/signing.ts'

export type Drafts = ReturnType<typeof createDrafts>

/** What is left of a block’s gas for a contract whose state changes before the transaction is mined. */
const MORE_GAS = 120n
/** What a payment may use up: a recipient that is a contract decides how much it burns. */
const MOST_GAS = 300_000n

/** Transactions before they are signed: simulated on their network, with what they cost there. */
export function createDrafts() {
  return {
    /** 409 (`insufficient_funds`, `simulation_failed`) for what would fail, 503 (`fee_too_high`) above the network’s cap. */
    async order(
      chain: Chain,
      wallet: WalletRow,
      payment: Payment & { to: Address },
      data: Hex = '0x'
    ): Promise<Order> {
      const { network } = chain
      const from = wallet.address as Address
      const draft = draftOf(network, from, payment, data)
      const [held, fees, chainNonce] = await Promise.all([
        chain.balance(from, payment.asset),
        chain.fees(),
        chain.nonce(from)
      ])
      if (held < payment.units) throw tooLittle(network, payment, held)
      const estimate = await simulated(chain, draft)
      const gas = draft.data === '0x' ? estimate : (estimate * MORE_GAS) / 100n
      if (gas > MOST_GAS)
        throw conflict(`The recipient would have it use ${gas} gas, of ${MOST_GAS} at most`, {
          code: 'gas_too_high'
        })
      const capped = cappedFees(network, fees)
      const coins = payment.asset === 'native' ? held : await chain.balance(from, 'native')
      if (coins < draft.value + gas * capped.maxFeePerGas)
        throw conflict(`There is too little ${network.native.symbol} in the wallet for the network’s fee`, {
          code: 'insufficient_funds'
        })
      return { payment, recipient: payment.to, draft, gas, fees: capped, chainNonce }
    }
  }
}

function draftOf(
  { stablecoin }: Network,
  from: Address,
  { asset, units, to }: Payment & { to: Address },
  given: Hex
): Draft {
  if (asset === 'native' || !stablecoin) return { from, to, value: units, data: given }
  const data: Hex = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [to, units] })
  return { from, to: stablecoin.address, value: 0n, data }
}

async function simulated(chain: Chain, draft: Draft): Promise<bigint> {
  try {
    return await chain.simulate(draft)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const code = /insufficient funds/i.test(error.message) ? 'insufficient_funds' : 'simulation_failed'
    throw conflict(`The network would not do it: ${error.message}`, { code })
  }
}

const tooLittle = ({ native, stablecoin }: Network, { asset }: Payment, held: bigint) => {
  const { symbol, decimals } = asset === 'native' ? native : (stablecoin ?? native)
  return conflict(`There are ${decimalOf(held, decimals)} ${symbol} in the wallet`, {
    code: 'insufficient_funds'
  })
}

/** Below what the network’s settings allow; 503 while that is too little to be mined. */
export function cappedFees(
  network: Network,
  { maxFeePerGas, maxPriorityFeePerGas }: Order['fees']
): Order['fees'] {
  const most = parseGwei(network.maxFeeGwei)
  // Of the fee asked, twice the base fee leaves room for it to rise.
  const least = (maxFeePerGas - maxPriorityFeePerGas) / 2n + maxPriorityFeePerGas
  if (least > most)
    throw unavailable(
      `A gas costs ${formatGwei(least)} gwei, more than the ${network.maxFeeGwei} that are allowed`,
      {
        code: 'fee_too_high'
      }
    )
  return { maxFeePerGas: maxFeePerGas < most ? maxFeePerGas : most, maxPriorityFeePerGas }
}
