import { decodePaymentResponseHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import type { Hex } from 'viem'
import type { Network } from '../networks/network.ts'
import type { Receipt } from '../schemas/x402.ts'
import type { Authorization } from '../signing/authorization.ts'
import type { Challenge } from './challenge.ts'

/** A header of a request: its name and its value. */
export type Header = readonly [string, string]

/** What a server is shown as the payment for what it asked. */
export function paymentHeader(
  { quote, accepted, resource }: Challenge,
  network: Network,
  { from, to, units, validBefore, nonce }: Authorization,
  signature: Hex
): Header {
  const authorization = {
    ...{ from, to, value: String(units), nonce },
    ...{ validAfter: '0', validBefore: String(validBefore) }
  }
  const payload = { signature, authorization }
  const paid =
    quote.version === 2
      ? { x402Version: 2, accepted, payload, ...(resource !== null && { resource }) }
      : { x402Version: 1, scheme: 'exact', network: network.x402Name, payload }
  const value = encodePaymentSignatureHeader(
    paid as unknown as Parameters<typeof encodePaymentSignatureHeader>[0]
  )
  return [quote.version === 2 ? 'PAYMENT-SIGNATURE' : 'X-PAYMENT', value]
}

/** What a server says about a payment; null where it says nothing that could be read. */
export function receiptOf(headers: { get(name: string): string | null }): Receipt | null {
  const header = headers.get('payment-response') ?? headers.get('x-payment-response')
  if (!header || header.length > 16_384) return null
  try {
    const said = decodePaymentResponseHeader(header) as unknown as Record<string, unknown>
    const text = (name: string) =>
      typeof said[name] === 'string' ? (said[name] as string).slice(0, 200) : null
    return {
      success: said.success === true,
      transaction: text('transaction'),
      network: text('network'),
      payer: text('payer')
    }
  } catch {
    return null
  }
}
