import type { App } from 'agent-platform'
import { Data, invalid, Page } from 'agent-platform'
import { Type } from 'typebox'
import { NewTransfer, Transfer, TransferQuery } from '../schemas/transfers.ts'
import type { TransferService } from '../services/transfers.ts'

const tags = ['wallets']
const params = Type.Object({ walletId: Type.String() })

/** Kept with the payment, for ever, so that no second one is made after a crash either. */
export function requestKeyOf(headers: Readonly<Record<string, unknown>>): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && /^[!-~]{1,255}$/.test(key)) return key
  throw invalid('idempotency-key', 'Idempotency-Key must be 1 to 255 visible ASCII characters')
}

export function transferRoutes(app: App, { transferService }: { transferService: TransferService }) {
  const create = {
    tags,
    summary: 'Send funds',
    description:
      'Within the wallet’s policy; above what that leaves to agents and services, only its owner may. Answered when it is signed and ' +
      'written down, which is before it is in a block. The same `Idempotency-Key` pays once, however late it comes again',
    params,
    body: NewTransfer,
    response: { 201: Data(Transfer) }
  }
  app.post(
    '/wallets/:walletId/transfer',
    {
      schema: create,
      config: {
        limit: 'sensitive',
        repeats: 'own',
        failures: ['paymentRequired', 'upstream', 'upstreamTimeout']
      }
    },
    async ({ principal, params, body, headers }, reply) => {
      const { transfer, isRepeated } = await transferService.create(principal, params.walletId, body, {
        key: requestKeyOf(headers),
        approved: principal.type === 'user',
        runId: null,
        // Of a program nobody knows what it has its request from.
        untrusted: principal.type !== 'user'
      })
      if (isRepeated) reply.header('idempotency-replayed', 'true')
      return reply.code(201).send({ data: transfer })
    }
  )

  const list = {
    tags,
    summary: 'List a wallet’s payments',
    params,
    querystring: TransferQuery,
    response: { 200: Page(Transfer) }
  }
  app.get('/wallets/:walletId/transfers', { schema: list }, ({ principal, params, query }) =>
    transferService.list(principal, params.walletId, query)
  )

  const read = {
    tags,
    summary: 'Get a payment of a wallet',
    params: Type.Object({ ...params.properties, transferId: Type.String() }),
    response: { 200: Data(Transfer) }
  }
  app.get('/wallets/:walletId/transfers/:transferId', { schema: read }, async ({ principal, params }) => {
    return { data: await transferService.read(principal, params.walletId, params.transferId) }
  })
}
