import type { ServerResponse } from 'node:http'
import type { Asked } from '../../../../test/loopback.ts'
import { json, service } from '../../../../test/loopback.ts'
import type { Thing } from './things-testbed.ts'
import { DAY, now, stripeThings } from './things-testbed.ts'
import { formOf, SECRET } from './wire-testbed.ts'

interface Scope {
  teardown(work: () => unknown): unknown
}
export const KEY = 'sk_test_secret_of_the_platform'

const noCustomer = (id: string): Thing => ({
  error: {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param: 'customer',
    message: `No such customer: '${id}'`
  }
})

/** Stripe as far as the platform knows it, on loopback: what people do there is done by its functions. */
export async function stripeServer(t: Scope) {
  const things = stripeThings()
  const { events, put, get, all, list, emit, paid, invoiceOf, lineOf, begin, update } = things
  const gone = new Set<string>()
  const replies = new Map<string, { status: number; body: unknown }>()
  const state = Object.assign(things.state, {
    answers: {} as Record<string, ((reply: ServerResponse) => unknown) | undefined>
  })

  function answer({ method, path, body }: Asked): Thing {
    const url = new URL(path, 'http://stripe')
    const fields = formOf(method === 'GET' ? url.search.slice(1) : body)
    const [, , ...parts] = url.pathname.split('/')
    const [area = '', id, more] =
      parts[0] === 'checkout' || parts[0] === 'billing_portal' ? parts.slice(1) : parts
    const found = get(id)
    if (gone.has(fields.customer ?? id) && (method === 'POST' || more))
      return noCustomer(fields.customer ?? id)
    if (gone.has(id as string)) return { id, object: 'customer', deleted: true }
    if (area === 'customers' && method === 'POST')
      return put('cus', { ...fields, invoice_settings: { default_payment_method: 'pm_1' } })
    if (area === 'customers' && more === 'payment_methods')
      return list([
        { id: 'pm_1', type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2042 } }
      ])
    if (area === 'prices' && method === 'POST')
      return put('price', { ...fields, unit_amount: Number(fields.unit_amount), active: true })
    if (area === 'prices' && !id)
      return list(all('price').filter((it) => it.lookup_key === fields.lookup_keys?.[0]))
    if (parts[0] === 'billing_portal')
      return { id: 'bps_1', url: `https://portal.example/${fields.customer}` }
    if (area === 'sessions' && method === 'POST' && !id) {
      const amount_total = Number(fields.line_items[0].price_data?.unit_amount ?? 0)
      const session = { ...fields, amount_total, currency: 'eur', status: 'open', payment_status: 'unpaid' }
      return put('cs', { ...session, expires_at: now() + DAY, url: 'https://checkout.example/pay' })
    }
    if (area === 'sessions' && more === 'expire') return Object.assign(found, { status: 'expired' })
    if (area === 'sessions' && !id)
      return list(all('cs').filter((it) => it.payment_intent === fields.payment_intent))
    if (area === 'subscriptions' && method === 'POST') return update(found, fields)
    if (area === 'subscriptions' && method === 'DELETE') return api.end(id as string)
    if (area === 'invoice_payments') {
      const of = (it: Thing) => it.payments.data[0]?.payment.payment_intent === fields.payment.payment_intent
      return list(
        all('in')
          .filter(of)
          .map((it) => ({ id: 'inpay_1', invoice: it.id }))
      )
    }
    if (area === 'payment_intents') return found && { ...found, latest_charge: get(found.latest_charge) }
    if (area === 'disputes') return list(all('dp').filter((it) => it.charge === fields.charge))
    if (area === 'events') return list([...events].reverse())
    return found
  }

  const server = await service(t, (reply, asked) => {
    const held = state.answers[new URL(asked.path, 'http://stripe').pathname]
    if (held) return void held(reply)
    if (asked.headers.authorization !== `Bearer ${KEY}`)
      return void json(reply, 401, { error: { type: 'invalid_request_error', message: KEY } })
    const key = asked.headers['idempotency-key'] as string | undefined
    const before = asked.method === 'POST' && key ? replies.get(key) : undefined
    const body = before?.body ?? answer(asked)
    const status = !body ? 404 : body.error ? (body.error.param ? 400 : 402) : 200
    if (key && !before) replies.set(key, { status, body })
    const missing = {
      error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such thing' }
    }
    json(reply, status, body ?? missing)
  })

  const api = {
    ...server,
    state,
    events,
    get,
    all,
    emit,
    env: {
      STRIPE_SECRET_KEY: KEY,
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_URL: server.url,
      OUTGOING_ALLOW: '127.0.0.1'
    },
    /** The customer is deleted: their subscriptions end, and nothing can be done with them. */
    deleteCustomer: (id: string) => void gone.add(id),
    /** Another account, or another mode: Stripe does not know the thing. */
    forget: (id: string) => void things.forget(id),
    /** The person pays on the page of a checkout. */
    pay(sessionId: string): void {
      const session = get(sessionId)
      Object.assign(session, { status: 'complete', payment_status: 'paid' })
      if (session.mode === 'subscription') begin(session)
      else session.payment_intent = paid(session.customer, session.amount_total, session.metadata)
      emit('checkout.session.completed', session)
    },
    /** A period ends, and the next one is paid for or not. */
    renew(subscriptionId: string, { fails = false } = {}): Thing {
      const subscription = get(subscriptionId)
      const [item] = subscription.items.data
      const start = item.current_period_end
      Object.assign(item, { current_period_start: start, current_period_end: start + 30 * DAY })
      subscription.status = fails ? 'past_due' : 'active'
      const period = { start, end: start + 30 * DAY }
      const invoice = invoiceOf(
        subscription,
        'subscription_cycle',
        [lineOf(item.price, item.price.unit_amount, period)],
        { fails }
      )
      emit('customer.subscription.updated', subscription)
      return invoice
    },
    end(subscriptionId: string): Thing {
      const subscription = Object.assign(get(subscriptionId), {
        status: 'canceled',
        canceled_at: now(),
        ended_at: now()
      })
      emit('customer.subscription.deleted', subscription)
      return subscription
    },
    refund(intentId: string, amount: number): void {
      const charge = get(get(intentId).latest_charge)
      charge.amount_refunded += amount
      emit('charge.refunded', charge)
    },
    dispute(intentId: string, status = 'needs_response'): void {
      const charge = get(get(intentId).latest_charge)
      charge.disputed = true
      const known = all('dp').find((it) => it.charge === charge.id)
      const dispute = known ?? put('dp', { charge: charge.id, payment_intent: intentId })
      emit(known ? 'charge.dispute.closed' : 'charge.dispute.created', Object.assign(dispute, { status }))
    }
  }
  return api
}
