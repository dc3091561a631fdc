import { conflict } from 'agent-platform'
import type { Customer } from '../provider.ts'
import type { StripeClient } from './client.ts'
import { isCustomerMissing } from './client.ts'

/** The failure of a request that needs a customer at Stripe: 409 `no_customer`. */
export const noCustomer = () =>
  conflict('There is no customer at Stripe yet: buy a plan or credits first', { code: 'no_customer' })

/** Customers at Stripe, created when they are needed. */
export function createCustomers({ ask }: StripeClient) {
  /** `gone`: the customer that Stripe no longer knows; the same idempotency key would return it again for 24 hours. */
  async function createCustomer({ id, project, owner }: Customer, gone?: string): Promise<string> {
    const idempotencyKey = gone === undefined ? `customer-${id}` : `customer-${id}-after-${gone}`
    const made = await ask((stripe) =>
      stripe.customers.create({ metadata: { customerId: id, project, owner } }, { idempotencyKey })
    )
    return made.id
  }

  /** Works with the customer at Stripe, who is created if there is none, and once more if Stripe no longer knows them. */
  async function withCustomer<T>(customer: Customer, work: (customerId: string) => Promise<T>): Promise<T> {
    const customerId = customer.providerId ?? (await createCustomer(customer))
    try {
      return await work(customerId)
    } catch (error) {
      if (!isCustomerMissing(error)) throw error
      return work(await createCustomer(customer, customerId))
    }
  }

  return { withCustomer }
}
