import type { App } from 'agent-platform'
import { Data } from 'agent-platform'
import { Type } from 'typebox'
import { PaidAnswer, PaidRequest } from '../schemas/x402.ts'
import type { PurchaseService } from '../services/purchases.ts'
import { requestKeyOf } from './transfers.ts'

const config = {
  limit: 'sensitive',
  repeats: 'own',
  failures: ['paymentRequired', 'upstream', 'upstreamTimeout']
} as const

export function purchaseRoutes(app: App, { purchaseService }: { purchaseService: PurchaseService }) {
  const schema = {
    tags: ['wallets'],
    summary: 'Fetch a URL, paying any x402 payment challenge',
    description:
      'By an agent’s wallet, within its policy: `exact` payments of the network’s stablecoin, of the versions 1 and 2 of x402. `preview` shows the ' +
      'price first. The same `Idempotency-Key` pays once and gets the same answer; where the server gave none, it is shown the same payment again',
    params: Type.Object({ agentId: Type.String() }),
    body: PaidRequest,
    response: { 200: Data(PaidAnswer) }
  }
  app.post('/wallets/agent/:agentId/x402-fetch', { schema, config }, async (request, reply) => {
    const { principal, params, body, headers } = request
    const { isRepeated, ...data } = await purchaseService.buy(principal, params.agentId, body, {
      key: requestKeyOf(headers),
      approved: principal.type === 'user',
      runId: null,
      // Of a program nobody knows what it has its request from.
      untrusted: principal.type !== 'user'
    })
    if (isRepeated) reply.header('idempotency-replayed', 'true')
    return { data }
  })
}
