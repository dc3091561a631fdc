import type { Kernel } from 'agent-platform'
import { paymentRequired, unavailable, upstreamFailed, upstreamTimeout } from 'agent-platform'
import type { Stripe } from 'stripe'
import type { Outgoing } from '../../outgoing/contract.ts'
import type { BillingSettings } from '../settings.ts'

export type StripeClient = ReturnType<typeof createStripeClient>

const MOST_BYTES = 4_194_304
const TIMEOUT_MS = 20_000

interface Deps extends Pick<Kernel, 'log'> {
  settings: BillingSettings
  outgoing: Outgoing
}

/** The official library, by way of the guarded network. */
export function createStripeClient({ settings, outgoing }: Deps) {
  const { stripeSecretKey: key, stripeUrl, stripeWebhookSecret: secrets = '' } = settings
  let made: Promise<Stripe> | undefined

  async function make(): Promise<Stripe> {
    if (key === undefined)
      throw unavailable('Stripe is not configured: set STRIPE_SECRET_KEY', {
        code: 'provider_not_configured'
      })
    // Most platforms have no use for it, and it is large.
    const { default: Library } = await import('stripe')
    const { protocol, hostname, port } = new URL(stripeUrl)
    const guarded = (url: string | URL | Request, init?: RequestInit) =>
      outgoing.fetch(String(url), {
        ...(init as object),
        redirect: 'error',
        maxBytes: MOST_BYTES,
        timeoutMs: TIMEOUT_MS
      }) as unknown as Promise<Response>
    return new Library(key, {
      host: hostname,
      protocol: protocol === 'http:' ? 'http' : 'https',
      port: port || (protocol === 'http:' ? 80 : 443),
      httpClient: Library.createFetchHttpClient(guarded as typeof fetch),
      maxNetworkRetries: 2,
      timeout: TIMEOUT_MS,
      telemetry: false,
      appInfo: { name: 'agent-platform' }
    })
  }

  /** Throws what a caller may be told: nothing of the key, or of what Stripe said. */
  async function ask<T>(work: (stripe: Stripe) => Promise<T>): Promise<T> {
    made ??= make()
    const stripe = await made.catch((error) => {
      made = undefined
      throw error
    })
    try {
      return await work(stripe)
    } catch (error) {
      throw failureOf(error)
    }
  }

  return {
    isConfigured: key !== undefined,
    secrets: secrets.split(',').flatMap((it) => it.trim() || []),
    ask,
    /** Undefined for what is not there. */
    find: <T>(work: (stripe: Stripe) => Promise<T>): Promise<T | undefined> =>
      ask((stripe) =>
        work(stripe).catch((error) =>
          error?.code === 'resource_missing' ? undefined : Promise.reject(error)
        )
      )
  }
}

const CUSTOMER_MISSING = 'customer_missing'
/** The customer was deleted at Stripe, or belongs to another account or mode. */
export const isCustomerMissing = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === CUSTOMER_MISSING

function failureOf(error: unknown): unknown {
  const { type, code, param } = error as { type?: string; code?: string; param?: string }
  const cause = new Error(`Stripe: ${type ?? 'no answer'}${code ? ` ${code}` : ''}`)
  if (code === 'resource_missing' && param === 'customer')
    return upstreamFailed('Stripe does not know the customer', { code: CUSTOMER_MISSING, cause })
  switch (type) {
    case 'StripeCardError':
      return paymentRequired('The payment was declined', { code: 'payment_failed' })
    case 'StripeAuthenticationError':
    case 'StripePermissionError':
      return unavailable('Stripe does not take the key of this platform', {
        code: 'provider_not_configured',
        cause
      })
    case 'StripeConnectionError':
      return code === 'ETIMEDOUT'
        ? upstreamTimeout('Stripe did not answer in time', { cause })
        : upstreamFailed('Stripe cannot be reached', { code: 'provider_away', cause })
    default:
      return type?.startsWith('Stripe')
        ? upstreamFailed('Stripe refused what it was asked for', { code: 'provider_refused', cause })
        : error
  }
}
