import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Answer, Quote, Receipt } from '../schemas/x402.ts'

export type PurchaseStore = ReturnType<typeof createPurchaseStore>

/** Something that was asked for by x402. */
export interface PurchaseRow extends Owned {
  readonly id: string
  readonly walletId: string
  readonly requestKey: string | null
  readonly digest: string
  readonly transferId: string | null
  /** `paying`: what was signed may be sent, again if need be. */
  readonly status: 'paying' | 'completed' | 'failed'
  /** Which instance sends it now. */
  readonly instance: number | null
  readonly quote: Quote | null
  readonly header: readonly [string, string] | null
  readonly failure: string | null
  readonly receipt: Receipt | null
  readonly answer: Answer | null
}

type Key = Pick<PurchaseRow, 'project' | 'id'>

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

export function createPurchaseStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on?: Trx) => (on ?? knex)('wallets.purchase')

  return {
    async findRequested(
      trx: Trx | undefined,
      { project, walletId, requestKey }: Pick<PurchaseRow, 'project' | 'walletId' | 'requestKey'>
    ): Promise<PurchaseRow | undefined> {
      return requestKey === null ? undefined : rows(trx).where({ project, walletId, requestKey }).first()
    },

    async insert(trx: Trx, { quote, header, receipt, answer, ...row }: PurchaseRow): Promise<PurchaseRow> {
      const texts = { quote: json(quote), header: json(header), receipt: json(receipt), answer: json(answer) }
      const [made] = await rows(trx)
        .insert({ ...row, ...texts })
        .returning('*')
      return made
    },

    /** For one at a time: false while another instance sends it, or it has ended. */
    async take({ project, id }: Key, instance: number | null, free: readonly number[]): Promise<boolean> {
      const taken = await rows()
        .where({ project, id, status: 'paying' })
        .where((query) => query.whereNull('instance').orWhereIn('instance', [...free]))
        .update({ instance })
      return taken > 0
    },

    /** It may be taken again. */
    updateFreed: async ({ project, id }: Key, instance: number | null): Promise<void> => {
      await rows().where({ project, id, instance, status: 'paying' }).update({ instance: null })
    },

    /** Its request may be made again. */
    updateGivenUp: async ({ project, id }: Key, failure: string): Promise<void> => {
      const givenUp = { status: 'failed', failure, requestKey: null, instance: null }
      await rows().where({ project, id, status: 'paying' }).update(givenUp)
    },

    async settle(
      { project, id }: Key,
      { status, failure, receipt, answer }: Pick<PurchaseRow, 'status' | 'failure' | 'receipt' | 'answer'>
    ): Promise<void> {
      const ended = { status, failure, receipt: json(receipt), answer: json(answer), instance: null }
      await rows().where({ project, id }).update(ended)
    }
  }
}
