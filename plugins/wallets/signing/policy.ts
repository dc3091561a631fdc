import { conflict, forbidden, paymentRequired } from 'agent-platform'
import type { Asset } from '../amounts.ts'
import { decimalOf, minorUnitsOf } from '../amounts.ts'
import type { Network } from '../networks/network.ts'
import { assetOf } from '../networks/network.ts'
import type { Limits, Policy } from '../schemas/policy.ts'
import type { Wallet } from '../schemas/wallets.ts'

const assets: readonly Asset[] = ['stablecoin', 'native']
const limits = ['maxPerPayment', 'maxPerDay', 'approvalAbove'] as const

/** 400 below `/policy` for an amount that the network’s coins cannot have. */
export function checkPolicy(policy: Policy, network: Network): void {
  for (const asset of assets)
    for (const name of limits) {
      const text = policy[asset][name]
      const decimals = assetOf(network, asset)?.decimals ?? 36
      if (text !== null) minorUnitsOf(text, decimals, `/policy/${asset}/${name}`, { zero: true })
    }
}

/** Who wants a payment to be made. */
export interface Asker {
  /** A person asked for this payment, or agreed to it. */
  readonly approved: boolean
  readonly runId: string | null
  /** The words that it came from may be made of what tools returned, or of what came from outside. */
  readonly untrusted: boolean
}

export interface Payment extends Asker {
  readonly asset: Asset
  readonly units: bigint
  readonly to: string
  /** Of x402: the address that is paid for. */
  readonly url: URL | null
}

/** What was paid before. */
export interface Spent {
  /** Within 24 hours. */
  readonly day: bigint
  /** Of that, what was paid without a person for words that may be of strangers. */
  readonly untrusted: bigint
}

/**
 * Refuses what a wallet may not pay: 409 (`wallet_deactivated`, `wallet_frozen`), 403 (`recipient_not_allowed`, `host_not_allowed`), 402
 * (`payment_cap_exceeded`, `day_cap_exceeded`), and 403 (`approval_required`) where a person has to agree first.
 */
export function refuse(wallet: Wallet, network: Network, payment: Payment, spent: Spent): void {
  const { policy, status, frozen } = wallet
  const { asset, units, to, url, approved } = payment
  if (status !== 'active') throw conflict('The wallet was deactivated', { code: 'wallet_deactivated' })
  if (frozen) throw conflict('The wallet is frozen', { code: 'wallet_frozen' })
  // What pays nothing, to itself, is no payment.
  if (units === 0n) return
  if (policy.recipients && !policy.recipients.some((it) => it.toLowerCase() === to.toLowerCase()))
    throw forbidden(`The wallet does not pay ${to}`, { code: 'recipient_not_allowed' })
  if (url && policy.hosts && !policy.hosts.some((it) => isHost(it, url.host)))
    throw forbidden(`The wallet does not pay ${url.host}`, { code: 'host_not_allowed' })
  // Who is on the way could say another price, and who is paid.
  if (url && url.protocol !== 'https:' && !isHere(url))
    throw forbidden(`The wallet does not pay ${url.host} by http: only by https`, {
      code: 'host_not_allowed'
    })
  const { symbol, decimals } = assetOf(network, asset) ?? { symbol: '', decimals: 0 }
  const limit = (name: keyof Limits) => {
    const text = policy[asset][name]
    return text === null ? undefined : minorUnitsOf(text, decimals, name, { zero: true })
  }
  const shown = (amount: bigint) => `${decimalOf(amount, decimals)} ${symbol}`
  const [most, mostADay] = [limit('maxPerPayment'), limit('maxPerDay')]
  if (most !== undefined && units > most)
    throw paymentRequired(`The wallet pays ${shown(most)} at most at once`, { code: 'payment_cap_exceeded' })
  if (mostADay !== undefined && spent.day + units > mostADay) {
    const left = mostADay > spent.day ? mostADay - spent.day : 0n
    throw paymentRequired(`The wallet pays ${shown(left)} more at most within 24 hours`, {
      code: 'day_cap_exceeded'
    })
  }
  const above = limit('approvalAbove')
  // Words of strangers could have it pay the same in small pieces, by one run or by many: they count together.
  const counted = payment.untrusted ? units + spent.untrusted : units
  if (!approved && above !== undefined && counted > above)
    throw forbidden(`A person has to approve that ${shown(units)} are paid to ${to}`, {
      code: 'approval_required'
    })
}

const isHere = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

const isHost = (allowed: string, host: string): boolean => {
  const [name = '', port] = allowed.replace(/^\*\./, '').split(':')
  const [found = '', foundPort] = host.split(':')
  if (port !== undefined && port !== foundPort) return false
  return allowed.startsWith('*.') ? found.endsWith(`.${name}`) : found === name
}
