import type { Kernel, Owned, Principal, Trx } from 'agent-platform'
import { unavailable } from 'agent-platform'
import type { Customer, PaymentProvider, ProviderState } from '../provider.ts'
import type { CustomerRow, CustomerStore } from '../stores/customers.ts'
import type { ProviderStore } from '../stores/providers.ts'
import type { Applying } from './applying.ts'
import type { CatalogueService } from './catalogue.ts'

export type Changing = ReturnType<typeof createChanging>

const MOST_TRIES = 20

interface Deps extends Pick<Kernel, 'transaction' | 'points'> {
  catalogueService: CatalogueService
  customerStore: CustomerStore
  providerStore: ProviderStore
  applying: Applying
}

/** What someone has, and its changes, one after another: what was read before another change is read again. */
export function createChanging(deps: Deps) {
  const { transaction, points, catalogueService, customerStore, providerStore, applying } = deps

  /** By its key; 503 where no pack that is on contributes it. */
  const providerOf = (project: string, key: string): Promise<PaymentProvider> =>
    points.one('billing.provider', project, key)

  async function customerOf({ id, project, owner }: CustomerRow, provider: string): Promise<Customer> {
    const [all, openInvoices, providerId] = await Promise.all([
      customerStore.listSubscriptions({ project, owner }),
      customerStore.listOpenInvoices({ project, owner }),
      providerStore.findCustomer(project, provider, owner)
    ])
    const subscription = all.find(({ status }) => status !== 'canceled') ?? null
    const plan = await catalogueService.allVersions(project)
    return { id, project, owner, providerId, subscription, openInvoices, mayTry: all.length === 0, plan }
  }

  const read = async (who: Owned, provider: string): Promise<Customer> =>
    customerOf(await customerStore.take(who), provider)

  /**
   * Makes what the provider says from what is written down true here, with all that follows. `ask` may be called again, where
   * something else was written meanwhile; what `before` writes comes first.
   */
  async function change(
    by: Principal,
    who: Owned,
    provider: string,
    ask: (customer: Customer, provider: PaymentProvider) => Promise<ProviderState>,
    before?: (trx: Trx) => Promise<void>
  ): Promise<void> {
    const asked = await providerOf(who.project, provider)
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const row = await customerStore.take(who)
      const customer = await customerOf(row, provider)
      const state = await ask(customer, asked)
      const isDone = await transaction(async (trx) => {
        if (!(await customerStore.lock(trx, row))) return false
        await before?.(trx)
        await applying.apply(trx, by, customer, provider, state)
        return true
      })
      if (isDone) return
    }
    throw unavailable('Too much changes at once: try again', { code: 'busy' })
  }

  return { providerOf, read, change }
}
