import type { App } from 'agent-platform'
import { Data, Deleted, ifMatch, Page } from 'agent-platform'
import { Type } from 'typebox'
import { shown } from '../rows.ts'
import {
  Balance,
  NewWallet,
  Wallet,
  WalletChanges,
  WalletQuery,
  WalletsOfAgentQuery
} from '../schemas/wallets.ts'
import type { WalletService } from '../services/wallets.ts'

/** An agent neither makes a wallet nor widens what it may spend. */
const config = { principals: ['user', 'service'] } as const
const asksChain = { failures: ['upstream', 'upstreamTimeout'] } as const
const tags = ['wallets']
const params = Type.Object({ walletId: Type.String() })
const ofAgent = Type.Object({ agentId: Type.String() })

export function walletRoutes(app: App, { walletService }: { walletService: WalletService }) {
  const create = {
    tags,
    summary: 'Create a wallet',
    description:
      'For an agent, on a network of the deployment. Its key is made here, sealed, and never leaves',
    body: NewWallet,
    response: { 201: Data(Wallet) }
  }
  app.post(
    '/wallets',
    { schema: create, config: { ...config, limit: 'sensitive' } },
    async ({ principal, body }, reply) => {
      return reply.code(201).send({ data: await walletService.create(principal, body) })
    }
  )

  const list = {
    tags,
    summary: 'List wallets',
    querystring: WalletQuery,
    response: { 200: Page(Wallet), 404: {} }
  }
  app.get('/wallets', { schema: list }, ({ principal, query }) => walletService.list(principal, query))

  const listOfAgent = {
    tags,
    summary: 'List an agent’s wallets',
    params: ofAgent,
    querystring: WalletsOfAgentQuery,
    response: { 200: Page(Wallet) }
  }
  app.get('/wallets/agent/:agentId', { schema: listOfAgent }, ({ principal, params, query }) =>
    walletService.listOfAgent(principal, params.agentId, query)
  )

  const primary = {
    tags,
    summary: 'Get an agent’s primary wallet',
    params: ofAgent,
    response: { 200: Data(Wallet) }
  }
  app.get('/wallets/agent/:agentId/primary', { schema: primary }, async ({ principal, params }) => {
    return { data: shown(await walletService.primary(principal, params.agentId)) }
  })

  const read = { tags, summary: 'Get a wallet', params, response: { 200: Data(Wallet) } }
  app.get('/wallets/:walletId', { schema: read }, async ({ principal, params }) => {
    return { data: await walletService.read(principal, params.walletId) }
  })

  const update = {
    tags,
    summary: 'Change a wallet’s name, policy, and whether it is frozen or primary',
    params,
    body: WalletChanges,
    response: { 200: Data(Wallet) }
  }
  app.patch(
    '/wallets/:walletId',
    { schema: update, config: { ...config, limit: 'sensitive' } },
    async (request) => {
      const { principal, params, body } = request
      return { data: await walletService.update(principal, params.walletId, body, ifMatch(request)) }
    }
  )

  const balance = {
    tags,
    summary: 'Get a wallet’s balance',
    description: 'As the latest block of its network has it',
    params,
    response: { 200: Data(Balance) }
  }
  app.get(
    '/wallets/:walletId/balance',
    { schema: balance, config: asksChain },
    async ({ principal, params }) => {
      return { data: await walletService.balance(principal, params.walletId) }
    }
  )

  const remove = {
    tags,
    summary: 'Deactivate a wallet',
    description:
      '409 (`funds_remain`) while there are funds in it, unless forced. What it did is kept, and so is its key',
    params,
    querystring: Type.Object({
      force: Type.Optional(Type.Boolean({ description: 'Also with funds in it' }))
    }),
    response: { 200: Deleted }
  }
  app.delete(
    '/wallets/:walletId',
    { schema: remove, config: { ...config, ...asksChain, limit: 'sensitive' } },
    async (request) => {
      const { principal, params, query } = request
      return {
        data: await walletService.deactivate(
          principal,
          params.walletId,
          query.force === true,
          ifMatch(request)
        )
      }
    }
  )
}
