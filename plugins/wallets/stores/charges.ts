import type { Kernel, Owned, Trx } from 'agent-platform'
import { newId } from 'agent-platform'
import type { Address, Hex } from 'viem'

export type ChargeStore = ReturnType<typeof createChargeStore>

/** A payment that was shown for an answer of the platform. */
export interface ChargeRow extends Owned {
  readonly id: string
  readonly network: string
  readonly chainId: number
  readonly payer: Address
  readonly nonce: Hex
  readonly to: Address
  readonly units: bigint
  /** Method and pattern of the route that it is for. */
  readonly resource: string
  /** `settled`: it is paid, and good for one answer; `used`: that was given. */
  readonly status: 'settling' | 'settled' | 'used'
  /** Which instance is at it. */
  readonly instance: number | null
  /** The head of the chain when it was first shown. */
  readonly sinceBlock: number
  /** Of the request that it was used for. */
  readonly requestKey: string | null
  readonly hash: Hex | null
  readonly createdAt: string
  readonly usedAt: string | null
}

type Key = Pick<ChargeRow, 'project' | 'id'>
type Stored = Omit<ChargeRow, 'units' | 'sinceBlock'> & {
  readonly units: string
  readonly sinceBlock: string
}

const rowOf = ({ units, sinceBlock, ...row }: Stored): ChargeRow => ({
  ...row,
  units: BigInt(units),
  sinceBlock: Number(sinceBlock)
})

export function createChargeStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on?: Trx) => (on ?? knex)('wallets.charge')

  return {
    async find({
      project,
      chainId,
      payer,
      nonce
    }: Pick<ChargeRow, 'project' | 'chainId' | 'payer' | 'nonce'>) {
      const row: Stored | undefined = await rows().where({ project, chainId, payer, nonce }).first()
      return row && rowOf(row)
    },

    /** Once a payment, however often it is shown at the same time. */
    async insert(
      row: Omit<ChargeRow, 'id' | 'status' | 'instance' | 'requestKey' | 'hash' | 'createdAt' | 'usedAt'>
    ): Promise<void> {
      await rows()
        .insert({ ...row, units: String(row.units), id: newId('charge'), status: 'settling' })
        .onConflict(['project', 'chainId', 'payer', 'nonce'])
        .ignore()
    },

    /** For one request at a time: undefined while another one has it, or it was used. */
    async take({ project, id }: Key, instance: number | null, dead: readonly number[]) {
      const [row]: Stored[] = await rows()
        .where({ project, id })
        .whereNot({ status: 'used' })
        .where((query) => query.whereNull('instance').orWhereIn('instance', [...dead]))
        .update({ instance })
        .returning('*')
      return row && rowOf(row)
    },

    /** False where it was before. */
    async settle(trx: Trx, { project, id }: Key, hash: Hex | null): Promise<boolean> {
      const settled = await rows(trx)
        .where({ project, id, status: 'settling' })
        .update({ status: 'settled', hash })
      return settled > 0
    },

    updateUsed: async ({ project, id }: Key, requestKey: string | null): Promise<void> => {
      const used = { status: 'used', instance: null, requestKey, usedAt: knex.fn.now() }
      await rows().where({ project, id }).update(used)
    },

    /** It may be shown again. */
    updateFreed: async ({ project, id }: Key): Promise<void> => {
      await rows().where({ project, id }).whereNot({ status: 'used' }).update({ instance: null })
    }
  }
}
