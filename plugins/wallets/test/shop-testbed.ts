import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader
} from '@x402/core/http'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import { createWalletClient, http, publicActions } from 'viem'
import type { TestChain } from '../../../test/chain/chain.ts'
import type { Any } from './testbed.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}

/**
 * A server whose answers cost something by x402, verified and settled on the chain by the official facilitator. What is at
 * `/v1` and `/v2` is honest; `state` says what others do.
 */
export async function openShop(t: Scope, chain: TestChain, network: { chainId: number; name: string }) {
  const state = {
    ...{ price: '10000', seconds: 60, payments: [] as string[] },
    ...{ requests: 0, hangUp: 0, deaf: 0, settled: 0 }
  }
  const take = facilitatorOf(chain, network)
  const settled = new Map<string, Promise<Any>>()
  const stranger = '0x000000000000000000000000000000000000dEaD'

  function offerOf(path: string, url: string, payTo: string = chain.merchant): Any {
    const { address, name, version } = chain.network.stablecoin
    const of = {
      scheme: 'exact',
      asset: address,
      payTo,
      maxTimeoutSeconds: state.seconds,
      extra: { name, version }
    }
    if (path.endsWith('v1'))
      return {
        ...of,
        network: network.name,
        maxAmountRequired: state.price,
        resource: url,
        description: 'A joke',
        mimeType: 'text/plain',
        outputSchema: null
      }
    return { ...of, network: `eip155:${network.chainId}`, amount: state.price }
  }

  function challenge(path: string, url: string, payTo?: string) {
    const offer = offerOf(path, url, payTo)
    if (path.endsWith('v1'))
      return { headers: {}, body: { x402Version: 1, error: 'pay first', accepts: [offer] } }
    if (path === '/permit2') offer.extra.assetTransferMethod = 'permit2'
    if (path === '/other') offer.asset = stranger
    const required = {
      x402Version: 2,
      resource: { url, description: 'A joke', mimeType: 'text/plain' },
      accepts: [offer]
    }
    return { headers: { 'payment-required': encodePaymentRequiredHeader(required as Any) }, body: {} }
  }

  const server = createServer(async (request, reply) => {
    state.requests++
    const { host = '' } = request.headers
    const path = request.url ?? ''
    const url = `http://${host}${path}`
    const shown = (request.headers['payment-signature'] ?? request.headers['x-payment']) as string | undefined
    const say = (status: number, body: unknown, headers: object = {}) =>
      reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (path === '/free') return say(200, { joke: 'none' })
    if (path === '/moved') return reply.writeHead(302, { location: '/v2' }).end()
    if (path === '/garbage') return say(402, { please: 'pay' })
    if (!shown) {
      const { headers, body } = challenge(path, url)
      return say(402, body, headers)
    }
    if (!state.payments.includes(shown)) state.payments.push(shown)
    if (state.deaf-- > 0) return reply.destroy()
    if (path === '/greedy' || path === '/switch') {
      const { headers, body } = challenge(path, url, path === '/switch' ? stranger : undefined)
      return say(402, body, headers)
    }
    if (path === '/redirect') return reply.writeHead(307, { location: '/v2' }).end()
    if (path === '/liar')
      return say(
        200,
        { joke: 'on you' },
        receipt({ success: true, transaction: `0x${'ab'.repeat(32)}`, network: `eip155:${network.chainId}` })
      )
    const settling = settled.get(shown) ?? settle(path, url, shown)
    settled.set(shown, settling)
    const result = await settling
    if (!result.success) return say(402, { error: result.errorReason })
    if (state.hangUp-- > 0) return reply.destroy()
    return say(200, { joke: 'paid' }, receipt(result))
  })

  const receipt = (said: object) => {
    const text = encodePaymentResponseHeader(said as Any)
    return { 'payment-response': text, 'x-payment-response': text }
  }

  async function settle(path: string, url: string, shown: string): Promise<Any> {
    const payload: Any = decodePaymentSignatureHeader(shown)
    const offer = offerOf(path, url)
    const taken = await take(payload, offer)
    if (taken.success) state.settled++
    return taken
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Verifies and takes payments by the official facilitator. */
export function facilitatorOf(chain: TestChain, network: { chainId: number; name: string }) {
  const client = createWalletClient({
    account: chain.merchant,
    chain: {
      id: network.chainId,
      name: network.name,
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [chain.url] } }
    },
    transport: http(chain.url),
    pollingInterval: 20
  }).extend(publicActions)
  const signer = toFacilitatorEvmSigner({ ...client, address: chain.merchant } as Any)
  const facilitators: Any = { 1: new ExactEvmSchemeV1(signer), 2: new ExactEvmScheme(signer) }
  return async (payload: Any, requirements: Any): Promise<Any> => {
    const facilitator = facilitators[payload.x402Version]
    const verified = await facilitator.verify(payload, requirements)
    if (!verified.isValid)
      return { success: false, errorReason: `${verified.invalidReason} ${verified.invalidMessage}` }
    return facilitator.settle(payload, requirements)
  }
}
