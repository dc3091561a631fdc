// biome-ignore lint/suspicious/noExplicitAny: objects as Stripe has them
export type Thing = any
export const DAY = 86_400
export const now = () => Math.floor(Date.now() / 1_000)

/** What Stripe has, and what becomes of it. */
export function stripeThings() {
  const things = new Map<string, Thing>()
  const events: Thing[] = []
  let count = 0
  const state = { declines: false }
  const put = (prefix: string, fields: object): Thing => {
    const id = `${prefix}_${String(++count).padStart(6, '0')}`
    const it = { id, created: now(), ...fields }
    things.set(id, it)
    return it
  }
  const get = (id: string | null | undefined): Thing => things.get(id ?? '')
  const all = (prefix: string): Thing[] =>
    [...things.values()].filter(({ id }) => id.startsWith(`${prefix}_`))
  const list = (data: Thing[]) => ({ object: 'list', data, has_more: false, url: '/' })

  /** As it is at that moment: what is sent later is old by then. */
  function emit(type: string, object: Thing): Thing {
    const event = put('evt', { object: 'event', type, data: { object: structuredClone(object) } })
    events.push(event)
    return event
  }

  function paid(customer: string, amount: number, metadata: object = {}): string {
    const charge = put('ch', { customer, amount, amount_refunded: 0, disputed: false })
    const intent = put('pi', { customer, amount, latest_charge: charge.id, metadata })
    charge.payment_intent = intent.id
    return intent.id
  }

  function invoiceOf(
    subscription: Thing,
    reason: string,
    lines: Thing[],
    { fails = false, fromBalance = 0 } = {}
  ): Thing {
    const total = lines.reduce((sum, { amount }) => sum + amount, 0)
    const due = Math.max(0, total - fromBalance)
    const { customer } = subscription
    const payment = fails || due === 0 ? null : paid(customer, due)
    const invoice = put('in', {
      ...{
        customer,
        total,
        currency: 'eur',
        billing_reason: reason,
        status: fails ? 'open' : 'paid',
        number: null
      },
      amount_paid: fails ? 0 : due,
      parent: { type: 'subscription_details', subscription_details: { subscription: subscription.id } },
      lines: list(lines),
      due_date: null,
      hosted_invoice_url: 'https://invoice.example/1',
      status_transitions: { paid_at: fails ? null : now() },
      payments: list(
        payment ? [{ status: 'paid', payment: { type: 'payment_intent', payment_intent: payment } }] : []
      )
    })
    subscription.latest_invoice = invoice.id
    emit(fails ? 'invoice.payment_failed' : 'invoice.paid', invoice)
    return invoice
  }

  const lineOf = (price: Thing, amount: number, period: object, isProration = false) => ({
    amount,
    discount_amounts: [],
    period,
    pricing: { type: 'price_details', price_details: { price: price.id } },
    parent: { type: 'subscription_item_details', subscription_item_details: { proration: isProration } }
  })

  function begin(session: Thing): void {
    const { trial_period_days: days = 0 } = session.subscription_data ?? {}
    const price = get(session.line_items[0].price)
    const start = now()
    const end = start + (Number(days) || 30) * DAY
    const item = { id: 'si_1', price, current_period_start: start, current_period_end: end }
    const subscription = put('sub', {
      customer: session.customer,
      status: days ? 'trialing' : 'active',
      items: list([item]),
      billing_cycle_anchor: start,
      trial_end: days ? end : null,
      ...{
        cancel_at_period_end: false,
        cancel_at: null,
        canceled_at: null,
        ended_at: null,
        latest_invoice: null
      },
      metadata: session.subscription_data?.metadata ?? {}
    })
    emit('customer.subscription.created', subscription)
    const invoice = invoiceOf(subscription, 'subscription_create', [
      lineOf(price, days ? 0 : price.unit_amount, { start, end })
    ])
    Object.assign(session, { subscription: subscription.id, invoice: invoice.id })
  }

  function update(
    subscription: Thing,
    { items, cancel_at_period_end: ends, metadata, trial_end }: Thing
  ): Thing {
    if (items) {
      const [item] = subscription.items.data
      const [before, next] = [item.price, get(items[0].price)]
      if (state.declines) return { error: { type: 'card_error', code: 'card_declined', message: 'no' } }
      const period = { start: now(), end: item.current_period_end }
      item.price = next
      if (trial_end === 'now') {
        subscription.status = 'active'
        invoiceOf(subscription, 'subscription_update', [lineOf(next, next.unit_amount, period)])
        emit('customer.subscription.updated', subscription)
        return subscription
      }
      const rest = lineOf(before, -before.unit_amount, period, true)
      const total = next.unit_amount - before.unit_amount
      if (total < 0) get(subscription.customer).credit = -total
      const fromBalance = total > 0 ? Math.min(total, get(subscription.customer).credit ?? 0) : 0
      invoiceOf(subscription, 'subscription_update', [rest, lineOf(next, next.unit_amount, period, true)], {
        fromBalance
      })
    }
    if (ends !== undefined) subscription.cancel_at_period_end = ends === 'true'
    Object.assign(subscription.metadata, metadata)
    emit('customer.subscription.updated', subscription)
    return subscription
  }
  const forget = (id: string) => things.delete(id)
  return { state, events, put, get, forget, all, list, emit, paid, invoiceOf, lineOf, begin, update }
}
