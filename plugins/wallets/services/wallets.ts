import type { Kernel, Paging, Principal, Verb } from 'agent-platform'
import { conflict, newId, notFound } from 'agent-platform'
import type { Address } from 'viem'
import type { Agents } from '../../agents/contract.ts'
import type { Asset } from '../amounts.ts'
import { decimalOf } from '../amounts.ts'
import type { Chain } from '../networks/chain.ts'
import { assetOf } from '../networks/network.ts'
import type { Networks } from '../networks/networks.ts'
import type { WalletRow } from '../rows.ts'
import { shown } from '../rows.ts'
import { cautious } from '../schemas/policy.ts'
import type { Balance, NewWallet, Wallet, WalletChanges, WalletQuery } from '../schemas/wallets.ts'
import { wallets } from '../schemas/wallets.ts'
import type { Keys } from '../signing/keys.ts'
import { checkPolicy } from '../signing/policy.ts'
import type { TransferStore } from '../stores/transfers.ts'
import type { WalletStore } from '../stores/wallets.ts'

export type WalletService = ReturnType<typeof createWalletService>

interface Deps extends Pick<Kernel, 'knex' | 'transaction' | 'facts'> {
  agents: Agents
  networks: Networks
  keys: Keys
  walletStore: WalletStore
  transferStore: TransferStore
}

/** Of one agent, those that are active. */
const MOST = 100

/** Wallets as their owners have them. */
export function createWalletService(deps: Deps) {
  const { knex, transaction, facts, agents, networks, keys, walletStore, transferStore } = deps

  async function create(by: Principal, input: NewWallet): Promise<Wallet> {
    const { agentId, name = null, policy = cautious } = input
    const { project, owner } = await agents.owned(by, agentId, 'change', '/agentId')
    const { network } = networks.choose(input.network)
    checkPolicy(policy, network)
    if ((await walletStore.count(project, agentId)) >= MOST)
      throw conflict(`An agent has at most ${MOST} wallets`, { code: 'too_many' })
    const id = newId('wallet')
    const key = await keys.make({ project, walletId: id })
    return transaction(async (trx) => {
      if (!(await agents.takeShare(trx, project, [agentId]))) throw notFound('Agent', { param: '/agentId' })
      const primary = await takePrimary(trx, project, agentId, input.primary)
      const row = await wallets.insert(trx, {
        ...{ project, id, owner, agentId, name, primary, policy },
        ...{ network: network.id, chainId: network.chainId, address: key.address, signer: key.signer },
        ...{ status: 'active', frozen: false, nextNonce: '0' }
      })
      await keys.keep(trx, { project, walletId: id }, key)
      await facts.record(trx, 'wallets.created', by, { subject: id, owner, data: shown(row) })
      return shown(row)
    })
  }

  /** Whether a wallet is to be the agent’s primary one; then no other one is. */
  async function takePrimary(
    trx: Parameters<WalletStore['lockAgent']>[0],
    project: string,
    agentId: string,
    wanted: boolean | undefined
  ): Promise<boolean> {
    await walletStore.lockAgent(trx, project, agentId)
    const isPrimary = wanted ?? !(await walletStore.findPrimary(trx, project, agentId))
    if (isPrimary) await walletStore.updatePrimary(trx, project, agentId)
    return isPrimary
  }

  const find = (by: Principal, id: string, verb: Verb): Promise<WalletRow> =>
    wallets.owned(knex, by, id, verb)
  const read = async (by: Principal, id: string): Promise<Wallet> => shown(await find(by, id, 'read'))

  async function list(by: Principal, { agentId, status, ...page }: WalletQuery) {
    if (agentId !== undefined) await agents.owned(by, agentId, 'read', 'agentId')
    const found = await wallets.list(knex, by, page, { agentId, status })
    return { ...found, data: found.data.map(shown) }
  }

  async function listOfAgent(by: Principal, agentId: string, query: Paging & Pick<WalletQuery, 'status'>) {
    await agents.owned(by, agentId, 'read')
    return list(by, { ...query, agentId })
  }

  /** 404 where the agent has none. */
  async function primary(by: Principal, agentId: string, verb: Verb = 'read'): Promise<WalletRow> {
    const { project } = await agents.owned(by, agentId, verb)
    const row = await walletStore.findPrimary(undefined, project, agentId)
    return find(by, row?.id ?? '', verb)
  }

  /** The wallet by which an agent pays: 404 for one that is another agent’s. */
  async function payer(by: Principal, agentId: string, walletId: string | undefined): Promise<WalletRow> {
    if (walletId === undefined) return primary(by, agentId, 'change')
    const row = await find(by, walletId, 'change')
    if (row.agentId !== agentId) throw notFound('Wallet', { param: '/walletId' })
    return row
  }

  async function update(
    by: Principal,
    id: string,
    changes: WalletChanges,
    version?: number
  ): Promise<Wallet> {
    const found = active(await find(by, id, 'change'))
    if (changes.policy) checkPolicy(changes.policy, networks.of(found).network)
    return transaction(async (trx) => {
      const { project, agentId } = found
      if (changes.primary && !found.primary) await takePrimary(trx, project, agentId, true)
      const { row, isChanged } = await wallets.update(trx, found, changes, version)
      if (isChanged)
        await facts.record(trx, 'wallets.updated', by, { subject: id, owner: row.owner, data: shown(row) })
      return shown(row)
    })
  }

  async function balance(by: Principal, id: string): Promise<Balance> {
    const wallet = await find(by, id, 'read')
    const chain = networks.of(wallet)
    const [native, stablecoin] = await Promise.all([
      holding(wallet, chain, 'native'),
      holding(wallet, chain, 'stablecoin')
    ])
    if (!native) throw new Error('A network without a coin')
    return { walletId: id, network: wallet.network, address: wallet.address, native, stablecoin }
  }

  /** Its key is kept, and so is what it did; what arrives at its address later is not lost for good. */
  async function deactivate(by: Principal, id: string, force: boolean, version?: number) {
    const found = await find(by, id, 'change')
    if (found.status === 'active' && !force) await refuseWithFunds(by, found)
    await transaction(async (trx) => {
      const gone = { status: 'deactivated' as const, primary: false }
      const { row, isChanged } = await wallets.update(trx, found, gone, version)
      if (isChanged)
        await facts.record(trx, 'wallets.deactivated', by, {
          subject: id,
          owner: row.owner,
          data: shown(row)
        })
    })
    return { id, deleted: true as const }
  }

  async function refuseWithFunds(by: Principal, { id }: WalletRow): Promise<void> {
    if ((await transferStore.count(id, 'pending')) > 0)
      throw conflict('Payments of the wallet are under way: wait for them, or say force=true', {
        code: 'payments_pending'
      })
    const { native, stablecoin } = await balance(by, id)
    const left = [stablecoin, native].filter((it) => it !== null && it.minorUnits !== '0')
    if (left.length === 0) return
    const amounts = left.map((it) => `${it?.amount} ${it?.symbol}`).join(' and ')
    throw conflict(`There are ${amounts} in the wallet: send them elsewhere, or say force=true`, {
      code: 'funds_remain'
    })
  }

  return { create, list, listOfAgent, primary, payer, find, read, update, balance, deactivate }
}

/** 409 for one that was deactivated. */
export function active(wallet: WalletRow): WalletRow {
  if (wallet.status === 'active') return wallet
  throw conflict('The wallet was deactivated', { code: 'wallet_deactivated' })
}

async function holding({ address }: WalletRow, chain: Chain, asset: Asset) {
  const coin = assetOf(chain.network, asset)
  if (!coin) return null
  const units = await chain.balance(address as Address, asset)
  const { symbol, decimals } = coin
  return { symbol, decimals, amount: decimalOf(units, decimals), minorUnits: String(units) }
}
