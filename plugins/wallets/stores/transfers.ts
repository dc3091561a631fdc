import type { Kernel, PageOf, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { Asset } from '../amounts.ts'
import type { TransactionRow, TransferRow } from '../rows.ts'

export type TransferStore = ReturnType<typeof createTransferStore>

type Key = Pick<TransferRow, 'project' | 'id'>
export type NewTransferRow = Omit<
  TransferRow,
  'createdAt' | 'endedAt' | 'missingSince' | 'status' | 'failure'
>
type Changes = Partial<Pick<TransferRow, 'status' | 'hash' | 'failure' | 'missingSince'>>

/** As the database gives it: what is too large for a number is a text. */
type Stored = Omit<TransferRow, 'units' | 'nonce'> & { readonly units: string; readonly nonce: string | null }

const rowOf = ({ units, nonce, ...row }: Stored): TransferRow => ({
  ...row,
  units: BigInt(units),
  nonce: nonce === null ? null : Number(nonce)
})

/** Payments, and the transactions that were signed for them; nothing of it is ever deleted. */
export function createTransferStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Trx | undefined) => (on ?? knex)('wallets.transfer')
  const all = async (query: PromiseLike<unknown>) => ((await query) as Stored[]).map(rowOf)

  return {
    /** By id alone, across projects: this is what tells 403 from 404. */
    async find(id: string, on?: Trx): Promise<TransferRow | undefined> {
      const [row] = await all(rows(on).where({ id }))
      return row
    },

    /** What the same request made before. */
    async findRequested(
      on: Trx | undefined,
      { project, walletId, requestKey }: Pick<TransferRow, 'project' | 'walletId' | 'requestKey'>
    ): Promise<TransferRow | undefined> {
      if (requestKey === null) return undefined
      const [row] = await all(rows(on).where({ project, walletId, requestKey }))
      return row
    },

    async list(
      { project, walletId }: Pick<TransferRow, 'project' | 'walletId'>,
      { status, ...page }: Paging & { status?: TransferRow['status'] }
    ): Promise<PageOf<TransferRow>> {
      const query = rows(undefined).where({ project, walletId, ...(status && { status }) })
      const found = await paginate<Stored>(query, page, 'transfer')
      return { ...found, data: found.data.map(rowOf) }
    },

    /** Of one network, those of a wallet in the order of their nonces. */
    listPending: (network: string, chainId: number, limit: number): Promise<TransferRow[]> =>
      all(
        rows(undefined)
          .where({ network, chainId, status: 'pending' })
          .orderBy(['walletId', { column: 'nonce', nulls: 'last' }, 'id'])
          .limit(limit)
      ),

    async count(walletId: string, status: TransferRow['status']): Promise<number> {
      const [row] = await rows(undefined).where({ walletId, status }).count({ count: '*' })
      return Number(row?.count ?? 0)
    },

    /** What a wallet paid within 24 hours, and what it may still pay; and of that, what no person and nobody’s own words had it pay. */
    async findSpent(
      on: Trx | undefined,
      { project, id: walletId }: Key,
      asset: Asset
    ): Promise<{ day: bigint; untrusted: bigint }> {
      const [row] = await rows(on)
        .where({ project, walletId, asset })
        .where((query) =>
          query
            .where({ status: 'pending' })
            .orWhere((ended) =>
              ended
                .where({ status: 'confirmed' })
                .where('createdAt', '>', knex.raw(`now() - interval '24 hours'`))
            )
        )
        .select(
          knex.raw(`coalesce(sum(units), 0)::text as day`),
          knex.raw(`coalesce(sum(units) filter (where untrusted and not approved), 0)::text as untrusted`)
        )
      const { day = '0', untrusted = '0' } = (row ?? {}) as { day?: string; untrusted?: string }
      return { day: BigInt(day), untrusted: BigInt(untrusted) }
    },

    async insert(trx: Trx, row: NewTransferRow): Promise<TransferRow> {
      const [made] = await all(
        rows(trx)
          .insert({ ...row, units: String(row.units), status: 'pending' })
          .returning('*')
      )
      return made as TransferRow
    },

    /** As it stays until the transaction ends; undefined where it is not pending any more. */
    async lock(trx: Trx, { project, id }: Key): Promise<TransferRow | undefined> {
      const [row] = await all(rows(trx).where({ project, id, status: 'pending' }).forUpdate())
      return row
    },

    async update(on: Trx | undefined, { project, id }: Key, changes: Changes): Promise<void> {
      await rows(on).where({ project, id }).update(changes)
    },

    /** It has ended: undefined where it had before. */
    async settle(
      trx: Trx,
      { project, id }: Key,
      { status, hash, failure }: Required<Omit<Changes, 'missingSince'>>
    ): Promise<TransferRow | undefined> {
      const [row] = await all(
        rows(trx)
          .where({ project, id, status: 'pending' })
          .update({ status, hash, failure, endedAt: knex.fn.now() })
          .returning('*')
      )
      return row
    },

    insertTransaction: async (
      trx: Trx,
      { project, id }: Key,
      { hash, raw, maxFeePerGas }: Omit<TransactionRow, 'createdAt'>
    ): Promise<void> => {
      const row = { project, transferId: id, hash, raw, maxFeePerGas: String(maxFeePerGas) }
      await trx('wallets.transaction').insert(row)
    },

    /** The latest first. */
    async listTransactions(on: Trx | undefined, { project, id }: Key): Promise<readonly TransactionRow[]> {
      const found = await (on ?? knex)('wallets.transaction')
        .where({ project, transferId: id })
        .orderBy('createdAt', 'desc')
      return found.map((row) => ({ ...row, maxFeePerGas: BigInt(row.maxFeePerGas) }))
    }
  }
}
