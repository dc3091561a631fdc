import type { App } from 'agent-platform'
import { createGift, listTransfers } from '../schemas/gifts.ts'
import { createDebit, createGrant, listLedger, readBalance, readSummary } from '../schemas/ledger.ts'
import { listPrices, setPrice } from '../schemas/prices.ts'
import type { AccountService } from '../services/accounts.ts'
import type { GiftService } from '../services/gifts.ts'
import type { PostingService } from '../services/postings.ts'
import type { PriceService } from '../services/prices.ts'

interface Deps {
  accountService: AccountService
  giftService: GiftService
  postingService: PostingService
  priceService: PriceService
}

const admin = { scope: ['platform:admin'] } as const
/** A model must not be talked into giving something away. */
const people = { principals: ['user', 'service'] } as const

export function accountRoutes(app: App, { accountService, giftService, postingService, priceService }: Deps) {
  app.get('/credits/balance', { schema: readBalance }, async ({ principal, query }) => {
    return { data: await accountService.balance(principal, query.owner) }
  })

  app.get('/credits/ledger', { schema: listLedger }, ({ principal, query }) =>
    accountService.ledger(principal, query)
  )

  app.get('/credits/summary', { schema: readSummary, config: people }, async ({ principal, query }) => {
    return { data: await accountService.summary(principal, query) }
  })

  app.get('/credits/transfers', { schema: listTransfers, config: people }, ({ principal, query }) =>
    giftService.list(principal, query)
  )

  const gift = { schema: createGift, config: { ...people, failures: ['paymentRequired'] as const } }
  app.post('/credits/gifts', gift, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await giftService.give(principal, body) })
  })

  app.post('/credits/grants', { schema: createGrant, config: admin }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await postingService.order(principal, 'grant', body) })
  })

  app.post('/credits/debits', { schema: createDebit, config: admin }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await postingService.order(principal, 'debit', body) })
  })

  app.get('/credits/prices', { schema: listPrices }, ({ principal, query }) =>
    priceService.list(principal, query)
  )

  app.post('/credits/prices', { schema: setPrice, config: admin }, async ({ principal, body }, reply) => {
    return reply.code(201).send({ data: await priceService.set(principal, body) })
  })
}
