import type { Kernel, Trx } from 'agent-platform'
import type { ProviderChoice } from '../contract.ts'

export type FallbackStore = ReturnType<typeof createFallbackStore>

export interface FallbackRow {
  readonly models: readonly ProviderChoice[]
  readonly version: number
  readonly updatedAt: string
}

const name = 'models.fallback'
const columns = ['models', 'version', 'updatedAt'] as const

/** Models of projects that answer where that of an agent cannot. */
export function createFallbackStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (project: string): Promise<FallbackRow | undefined> =>
      knex(name)
        .where({ project })
        .first(...columns),

    /** Leaves what is there as it is. */
    insert: async (trx: Trx, project: string, owner: string): Promise<void> => {
      await trx(name).insert({ project, owner }).onConflict('project').ignore()
    },

    /** Locked until the transaction ends. */
    take: (trx: Trx, project: string): Promise<FallbackRow | undefined> =>
      trx(name)
        .where({ project })
        .forUpdate()
        .first(...columns),

    async update(trx: Trx, project: string, models: readonly ProviderChoice[]): Promise<void> {
      await trx(name)
        .where({ project })
        .update({
          models: JSON.stringify(models),
          version: trx.raw('version + 1'),
          updatedAt: trx.fn.now()
        })
    }
  }
}
