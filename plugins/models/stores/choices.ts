import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Modality, ProviderChoice } from '../contract.ts'

export type ChoiceStore = ReturnType<typeof createChoiceStore>

export interface StoredChoice extends ProviderChoice {
  readonly version: number
  readonly updatedAt: string
}
/** At most one row of each modality a project. */
interface Place {
  readonly project: string
  readonly modality: Modality
}

const columns = ['modelProvider', 'modelId', 'version', 'updatedAt'] as const

export function createChoiceStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (place: Place): Promise<StoredChoice | undefined> =>
      knex('models.choice')
        .where(place)
        .first(...columns),

    /** Leaves one that is there already as it is. */
    async insert(trx: Trx, row: Owned & Place & ProviderChoice): Promise<void> {
      await trx('models.choice').insert(row).onConflict(['project', 'modality']).ignore()
    },

    /** Locked until the transaction ends. */
    take: (trx: Trx, place: Place): Promise<StoredChoice | undefined> =>
      trx('models.choice')
        .where(place)
        .forUpdate()
        .first(...columns),

    async update(trx: Trx, place: Place, choice: ProviderChoice): Promise<void> {
      const version = trx.raw('version + 1')
      await trx('models.choice')
        .where(place)
        .update({ ...choice, version, updatedAt: trx.fn.now() })
    },

    async remove(trx: Trx, place: Place): Promise<void> {
      await trx('models.choice').where(place).delete()
    }
  }
}
