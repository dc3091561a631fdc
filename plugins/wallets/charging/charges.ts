import { encodePaymentResponseHeader } from '@x402/core/http'
import type { Kernel, Reply, Request } from 'agent-platform'
import { conflict, digestOf } from 'agent-platform'
import type { Address } from 'viem'
import { recoverAddress } from 'viem/utils'
import { minorUnitsOf } from '../amounts.ts'
import type { ChargedRoute, Price } from '../contract.ts'
import type { Chain } from '../networks/chain.ts'
import type { Networks } from '../networks/networks.ts'
import type { Operator, OwnTransactions } from '../services/own-transactions.ts'
import { digestOfAuthorization } from '../signing/authorization.ts'
import type { ChargeRow, ChargeStore } from '../stores/charges.ts'
import type { Shown, Terms } from '../x402/requirements.ts'
import { askOf, shownOf } from '../x402/requirements.ts'
import type { Settlements } from './settlements.ts'

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'instances' | 'platform' | 'log'> {
  networks: Networks
  ownTransactions: OwnTransactions
  settlements: Settlements
  chargeStore: ChargeStore
}

/** A payment has to be good for so long when it is shown: to be taken takes a while. */
const LEAST_SECONDS = 6
/** A reply is kept for its `Idempotency-Key` for a day. */
const KEPT_MS = 23 * 3_600_000

/** Routes that cost something by x402: a payment is taken before they answer, once, and is good for one answer. */
export function createCharges(deps: Deps) {
  const {
    transaction,
    facts,
    instances,
    platform,
    log,
    networks,
    ownTransactions,
    settlements,
    chargeStore
  } = deps
  const under = new WeakMap<Request, { row: ChargeRow; key: string | null }>()

  function charge(price: Price): ChargedRoute {
    return {
      async preHandler(request, reply) {
        const operator = await ownTransactions.operator('charging_not_configured')
        const chain = networks.of(operator.wallet)
        const terms = termsOf(operator, chain, price, request)
        const shown = shownOf(request.headers)
        if (shown === undefined) return ask(request, reply, terms, 'This costs something by x402')
        if (shown === null) return ask(request, reply, terms, 'The payment cannot be read')
        const found = await chargeStore.find({
          project: operator.wallet.project,
          chainId: chain.network.chainId,
          payer: shown.from,
          nonce: shown.nonce
        })
        if (found?.status === 'used' && isRepeated(found, request)) return
        if (found?.status === 'used')
          return ask(request, reply, terms, 'The payment was used', 'payment_used')
        const fault = found
          ? await faultOf(found, shown, terms, request)
          : await faultOfNew(chain, shown, terms)
        if (fault) return ask(request, reply, terms, fault, 'payment_invalid')
        const row = await take(operator, chain, shown, request)
        try {
          await pay(operator, chain, row, shown, terms, reply)
        } catch (error) {
          await chargeStore.updateFreed(row)
          const { code, message } = Object(error) as { code?: unknown; message: string }
          if (code === 'payment_failed') return ask(request, reply, terms, message, 'payment_failed')
          throw error
        }
        under.set(request, { row, key: keyOf(request) })
        // Where no answer comes of it.
        reply.raw.once('close', () => {
          if (under.delete(request))
            chargeStore
              .updateFreed(row)
              .catch((err) => log.warn({ err, charge: row.id }, 'a payment stays taken'))
        })
      },

      /** An answer uses it up; a refusal or a failure does not. */
      async onSend(request, reply, payload) {
        const taken = under.get(request)
        if (!taken) return payload
        if (reply.statusCode < 400) await chargeStore.updateUsed(taken.row, taken.key)
        else await chargeStore.updateFreed(taken.row)
        under.delete(request)
        return payload
      }
    }
  }

  function termsOf({ wallet }: Operator, { network }: Chain, price: Price, { url }: Request): Terms {
    const { stablecoin } = network
    if (!stablecoin)
      throw conflict(`The network ${network.id} has no stablecoin to be paid with`, {
        code: 'charging_not_possible'
      })
    return {
      network,
      to: wallet.address as Address,
      units: minorUnitsOf(price.amount, stablecoin.decimals, 'amount'),
      url: new URL(url, platform.baseUrl).href,
      description: price.description ?? ''
    }
  }

  /** 402 with what x402 wants of both versions, beside the envelope of errors. */
  function ask(request: Request, reply: Reply, terms: Terms, message: string, code = 'payment_required') {
    const { header, body } = askOf(terms, message)
    const error = { type: 'payment_required', message, code, requestId: request.id }
    reply
      .code(402)
      .header('payment-required', header)
      .header('cache-control', 'no-store')
      .type('application/json; charset=utf-8')
      .serializer((text: unknown) => text as string)
      .send(JSON.stringify({ error, ...body }))
  }

  /** Of one that was shown before: it is for the same. */
  async function faultOf(row: ChargeRow, shown: Shown, terms: Terms, request: Request) {
    if (row.resource !== resourceOf(request)) return 'The payment is for something else'
    if (row.to !== shown.to || row.units !== shown.units || row.units !== terms.units)
      return 'The payment is another one'
    return (await isSigned(shown, terms)) ? undefined : 'The payment is not signed by who pays'
  }

  async function faultOfNew(chain: Chain, shown: Shown, terms: Terms): Promise<string | undefined> {
    if (shown.to !== terms.to) return 'The payment is to someone else'
    if (shown.units !== terms.units) return 'The payment is of another amount'
    if (shown.from === terms.to) return 'Who pays is who is paid'
    if (!(await isSigned(shown, terms))) return 'The payment is not signed by who pays'
    const now = Math.max(Math.floor(Date.now() / 1_000), await chain.time('latest'))
    if (shown.validAfter > now || shown.validBefore < now + LEAST_SECONDS)
      return 'The payment is not good now'
    if (await chain.isUsed(shown.from, shown.nonce, 'latest')) return 'The payment was taken before'
    const held = await chain.balance(shown.from, 'stablecoin')
    return held < shown.units ? 'Who pays has not got that much' : undefined
  }

  async function isSigned(shown: Shown, { network }: Terms): Promise<boolean> {
    const hash = digestOfAuthorization(network, shown)
    const signer = await recoverAddress({ hash, signature: shown.signature }).catch(() => undefined)
    return signer === shown.from
  }

  async function take(
    { wallet }: Operator,
    chain: Chain,
    shown: Shown,
    request: Request
  ): Promise<ChargeRow> {
    const { id: network, chainId } = chain.network
    const { from: payer, to, units, nonce } = shown
    const { project, owner } = wallet
    const of = { project, owner, network, chainId, payer, nonce, to, units }
    await chargeStore.insert({ ...of, resource: resourceOf(request), sinceBlock: await chain.head() })
    const row = await chargeStore.find(of)
    const taken = row && (await chargeStore.take(row, instances.id() ?? null, await instances.dead()))
    if (taken && taken.resource === resourceOf(request)) return taken
    if (taken) await chargeStore.updateFreed(taken)
    throw conflict('The payment is being used by another request', { code: 'payment_in_progress' })
  }

  async function pay(
    operator: Operator,
    chain: Chain,
    row: ChargeRow,
    shown: Shown,
    terms: Terms,
    reply: Reply
  ): Promise<void> {
    const hash =
      row.status === 'settled' ? row.hash : await settlements.settle(operator, chain, row, shown, terms)
    await transaction(async (trx) => {
      if (!(await chargeStore.settle(trx, row, hash))) return
      const { id, owner, resource, payer, units } = row
      const data = { id, owner, resource, payer, minorUnits: String(units), network: row.network, hash }
      await facts.record(trx, 'wallets.charge_settled', operator.by, { subject: id, owner, data })
    })
    const { chainId, x402Name } = chain.network
    const network = shown.version === 2 ? `eip155:${chainId}` : x402Name
    const said = { success: true, transaction: hash ?? '', network, payer: shown.from }
    const text = encodePaymentResponseHeader(said as Parameters<typeof encodePaymentResponseHeader>[0])
    reply.header(shown.version === 2 ? 'payment-response' : 'x-payment-response', text)
  }

  return { charge }
}

const resourceOf = ({ method, routeOptions }: Request): string => `${method} ${routeOptions.url}`

/** Of a request that has its reply kept by the platform. */
function keyOf({ method, url, headers, principal }: Request): string | null {
  const key = headers['idempotency-key']
  if (key === undefined || method !== 'POST' || !principal) return null
  return digestOf([principal.id, principal.owner, url, key])
}

/** Its reply is kept, and the platform answers with that. */
const isRepeated = (row: ChargeRow, request: Request): boolean =>
  row.requestKey !== null &&
  row.requestKey === keyOf(request) &&
  Date.now() - Date.parse(row.usedAt ?? '') < KEPT_MS
