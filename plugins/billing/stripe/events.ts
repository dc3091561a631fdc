import { invalid } from 'agent-platform'
import type { Stripe } from 'stripe'
import type { ProviderEvent, Subject } from '../provider.ts'
import type { StripeClient } from './client.ts'
import { idOf } from './states.ts'

/** The kinds of objects that events are of, by the beginning of their type; the first that fits. */
const kinds: readonly (readonly [string, Subject['kind']])[] = [
  ['checkout.session.', 'checkout'],
  ['customer.subscription.', 'subscription'],
  ['invoice.', 'invoice'],
  ['charge.dispute.', 'payment'],
  ['charge.refund', 'payment'],
  ['refund.', 'payment']
]
/** Of these the account has to send webhooks. */
const TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.finalized',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed'
] as const
const MOST_EVENTS = 1_000

const forged = () =>
  invalid(
    'stripe-signature',
    'The Stripe signature is invalid or expired. Check the webhook signing secret.',
    'signature_invalid'
  )

/** Events of Stripe: as webhooks bring them, and as they are asked for. */
export function createEvents({ ask, secrets }: StripeClient, toleranceSeconds: number) {
  /** One of the secrets fits, while a new one takes the place of another. */
  const readWebhook = async (
    body: Buffer,
    { 'stripe-signature': signature }: Readonly<Record<string, string | string[] | undefined>>
  ): Promise<ProviderEvent | undefined> =>
    ask(async ({ webhooks }) => {
      if (typeof signature !== 'string') throw forged()
      for (const secret of secrets) {
        try {
          return eventOf(webhooks.constructEvent(body, signature, secret, toleranceSeconds))
        } catch (error) {
          if ((error as { type?: string }).type !== 'StripeSignatureVerificationError') throw forged()
        }
      }
      throw forged()
    })

  async function* listEvents(since: string): AsyncGenerator<ProviderEvent> {
    const created = { gte: Math.floor(Date.parse(since) / 1_000) }
    const found = await ask((stripe) =>
      stripe.events.list({ created, types: [...TYPES], limit: 100 }).autoPagingToArray({ limit: MOST_EVENTS })
    )
    for (const it of found.reverse()) {
      const event = eventOf(it)
      if (event) yield event
    }
  }

  return { readWebhook, listEvents }
}

/** Undefined for what is of no interest. */
function eventOf({ id, type, data }: Stripe.Event): ProviderEvent | undefined {
  const kind = kinds.find(([start]) => type.startsWith(start))?.[1]
  const object = data.object as { id?: string; customer?: string; payment_intent?: string }
  const subject = kind === 'payment' ? idOf(object.payment_intent) : object.id
  if (!kind || !subject) return undefined
  return { id, type, customerId: idOf(object.customer), subject: { kind, id: subject } }
}
