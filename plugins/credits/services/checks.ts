import type { Kernel } from 'agent-platform'
import type { Worker } from '../../jobs/contract.ts'
import type { AccountStore } from '../stores/accounts.ts'
import type { CapStore } from '../stores/caps.ts'
import type { ReservationStore } from '../stores/reservations.ts'
import { actorOf } from './charging.ts'
import type { Settlement } from './settlement.ts'

/** Settled reservations are needed for calls of tools whose facts come late. */
const KEPT_DAYS = 45
const BATCH = 1_000

interface Deps extends Pick<Kernel, 'transaction' | 'facts' | 'log'> {
  accountStore: AccountStore
  reservationStore: ReservationStore
  capStore: CapStore
  settlement: Settlement
}

/** What is done once an hour: balances are held against their entries, and what is over is tidied. */
export function createChecks({
  transaction,
  facts,
  log,
  accountStore,
  reservationStore,
  capStore,
  settlement
}: Deps) {
  async function work(): Promise<void> {
    while ((await settlement.releaseLost()) > 0);
    await capStore.removeOfExpired(KEPT_DAYS)
    while ((await reservationStore.removeSettled(KEPT_DAYS, BATCH)) === BATCH);
    // An account that changed meanwhile is looked at once more.
    const wrong = new Set((await accountStore.listWrong()).map(({ id }) => id))
    if (wrong.size === 0) return
    for (const account of await accountStore.listWrong()) {
      if (!wrong.has(account.id)) continue
      log.error({ account: account.id }, 'a balance is not what its entries come to')
      await transaction((trx) =>
        facts.record(trx, 'credits.imbalance_found', actorOf(account), {
          subject: account.id,
          owner: account.owner,
          data: { accountId: account.id }
        })
      )
    }
  }

  const worker: Worker = { work, cron: '23 * * * *' }
  return { worker }
}
