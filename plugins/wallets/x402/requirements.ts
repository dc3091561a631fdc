import { decodePaymentSignatureHeader, encodePaymentRequiredHeader } from '@x402/core/http'
import type { Address, Hex } from 'viem'
import { getAddress, isAddress } from 'viem/utils'
import type { Network } from '../networks/network.ts'

/** What an answer of the platform costs. */
export interface Terms {
  readonly network: Network
  readonly to: Address
  readonly units: bigint
  /** What is paid for. */
  readonly url: string
  readonly description: string
}

/** A payment as a client shows it: nothing of it is checked but its form. */
export interface Shown {
  readonly version: 1 | 2
  readonly from: Address
  readonly to: Address
  readonly units: bigint
  readonly validAfter: number
  readonly validBefore: number
  readonly nonce: Hex
  readonly signature: Hex
  /** As a facilitator is given it. */
  readonly payload: unknown
}

const MOST_HEADER = 16_384
/** A payment is to be good for so long. */
export const SECONDS = 120

/** As one version of x402 has it. */
export function requirementsOf(version: 1 | 2, { network, to, units, url, description }: Terms) {
  const { stablecoin, chainId, x402Name } = network
  if (!stablecoin) throw new Error('A network without a stablecoin')
  const { address: asset, name, version: of } = stablecoin
  const both = { scheme: 'exact', asset, payTo: to, maxTimeoutSeconds: SECONDS, extra: { name, version: of } }
  if (version === 2) return { ...both, network: `eip155:${chainId}`, amount: String(units) }
  const what = { resource: url, description, mimeType: 'application/json', outputSchema: null }
  return { ...both, ...what, network: x402Name, maxAmountRequired: String(units) }
}

/** How a client is asked to pay: version 2 reads the header, and version 1 the body. */
export function askOf(terms: Terms, error: string) {
  const { url, description } = terms
  const resource = { url, description, mimeType: 'application/json' }
  const required = { x402Version: 2, error, resource, accepts: [requirementsOf(2, terms)] }
  return {
    header: encodePaymentRequiredHeader(
      required as unknown as Parameters<typeof encodePaymentRequiredHeader>[0]
    ),
    body: { x402Version: 1, accepts: [requirementsOf(1, terms)] }
  }
}

/** Undefined where none is shown; null for one that could not be read. */
export function shownOf(headers: Readonly<Record<string, unknown>>): Shown | null | undefined {
  const header = headers['payment-signature'] ?? headers['x-payment']
  if (header === undefined) return undefined
  if (typeof header !== 'string' || header.length > MOST_HEADER) return null
  try {
    return read(decodePaymentSignatureHeader(header))
  } catch {
    return null
  }
}

function read(said: unknown): Shown | null {
  const { x402Version: version, scheme, accepted, payload } = Object(said)
  const { signature, authorization } = Object(payload)
  const { from, to, value, validAfter, validBefore, nonce } = Object(authorization)
  if (version !== 1 && version !== 2) return null
  if ((version === 2 ? Object(accepted).scheme : scheme) !== 'exact') return null
  if (![from, to].every((it) => typeof it === 'string' && isAddress(it, { strict: false }))) return null
  if (!isHex(nonce, 64) || !isHex(signature, 130)) return null
  if (!isDigits(value, 38) || !isDigits(validAfter, 12) || !isDigits(validBefore, 12)) return null
  return {
    ...{ version, from: getAddress(from), to: getAddress(to), units: BigInt(value) },
    ...{ validAfter: Number(validAfter), validBefore: Number(validBefore) },
    ...{ nonce: nonce.toLowerCase() as Hex, signature, payload: said }
  }
}

const isHex = (text: unknown, length: number): text is Hex =>
  typeof text === 'string' && text.length === length + 2 && /^0x[0-9a-fA-F]+$/.test(text)
const isDigits = (text: unknown, most: number): text is string =>
  typeof text === 'string' && text.length <= most && /^\d+$/.test(text)
