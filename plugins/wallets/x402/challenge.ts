import { decodePaymentRequiredHeader } from '@x402/core/http'
import { PaymentRequiredSchema } from '@x402/core/schemas'
import { conflict, upstreamFailed } from 'agent-platform'
import type { Address } from 'viem'
import { getAddress, isAddress } from 'viem/utils'
import { decimalOf } from '../amounts.ts'
import type { Network } from '../networks/network.ts'
import type { Quote } from '../schemas/x402.ts'

/** What a server asks for, as this wallet would pay it. */
export interface Challenge {
  readonly quote: Quote
  readonly to: Address
  readonly units: bigint
  /** For how long the payment is to be good. */
  readonly seconds: number
  /** Of the offer, as the server made it: a payment of version 2 repeats it. */
  readonly accepted: unknown
  readonly resource: unknown
}

/** A payment is good for so long at most, whatever a server asks for: so long the caps count it. */
const MOST_SECONDS = 600
const MOST_HEADER = 65_536

interface Offer {
  readonly scheme: string
  readonly network: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra?: Readonly<Record<string, unknown>> | null
  readonly amount?: string
  readonly maxAmountRequired?: string
  readonly description?: string
}

/** Reads a reply with the status 402. 502 (`payment_challenge_invalid`) for what is none of x402, 409 (`payment_not_supported`) for one that asks for something else than the wallet’s stablecoin. */
export function challengeOf(
  header: string | null,
  body: string,
  host: string,
  wallet: Network & { address: string }
): Challenge {
  const said = read(header, body, host)
  const { stablecoin } = wallet
  const names = said.x402Version === 2 ? `eip155:${wallet.chainId}` : wallet.x402Name
  const offer =
    stablecoin && (said.accepts as readonly Offer[]).find((it) => isFor(it, names, stablecoin.address))
  if (!offer)
    throw conflict(
      `${host} takes nothing that the wallet could pay with (exact, ${stablecoin?.symbol}, ${names})`,
      {
        code: 'payment_not_supported'
      }
    )
  const amount = offer.amount ?? offer.maxAmountRequired ?? ''
  const to = isAddress(offer.payTo, { strict: false }) ? getAddress(offer.payTo) : undefined
  if (!/^[1-9]\d{0,38}$/.test(amount) || !to || /^0x0{40}$/.test(to) || to === wallet.address)
    throw invalidOf(host)
  const units = BigInt(amount)
  const resource = (said as { resource?: { description?: string } }).resource
  const description = offer.description ?? resource?.description ?? null
  return {
    quote: {
      ...{ version: said.x402Version, host, network: wallet.id, symbol: stablecoin.symbol },
      ...{ amount: decimalOf(units, stablecoin.decimals), minorUnits: amount, to },
      description: description?.slice(0, 500) ?? null
    },
    ...{ to, units, accepted: offer, resource: resource ?? null },
    seconds: Math.max(1, Math.floor(Math.min(offer.maxTimeoutSeconds, MOST_SECONDS)))
  }
}

const isFor = ({ scheme, network, asset, extra }: Offer, name: string, address: string): boolean =>
  scheme === 'exact' &&
  network === name &&
  asset.toLowerCase() === address.toLowerCase() &&
  (extra?.assetTransferMethod ?? 'eip3009') === 'eip3009'

function read(header: string | null, body: string, host: string) {
  if ((header?.length ?? 0) > MOST_HEADER) throw invalidOf(host)
  try {
    const said = PaymentRequiredSchema.safeParse(
      header ? decodePaymentRequiredHeader(header) : JSON.parse(body)
    )
    if (said.success) return said.data
  } catch {
    // Said below.
  }
  throw invalidOf(host)
}

const invalidOf = (host: string) =>
  upstreamFailed(`${host} asks for a payment in a way that x402 does not know`, {
    code: 'payment_challenge_invalid'
  })
