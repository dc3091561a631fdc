import type { Kernel, Owned, Trx } from 'agent-platform'
import type { EmbeddingChoice } from '../contract.ts'

export type EmbeddingChoiceStore = ReturnType<typeof createEmbeddingChoiceStore>

export interface ChosenEmbedding extends EmbeddingChoice {
  readonly version: number
  readonly updatedAt: string
}

const columns = ['modelProvider', 'modelId', 'version', 'updatedAt'] as const

/** At most one row a project. */
export function createEmbeddingChoiceStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (project: string): Promise<ChosenEmbedding | undefined> =>
      knex('models.embedding')
        .where({ project })
        .first(...columns),

    /** Leaves one that is there already as it is. */
    async insert(trx: Trx, row: Owned & EmbeddingChoice): Promise<void> {
      await trx('models.embedding').insert(row).onConflict('project').ignore()
    },

    /** Locked until the transaction ends. */
    take: (trx: Trx, project: string): Promise<ChosenEmbedding | undefined> =>
      trx('models.embedding')
        .where({ project })
        .forUpdate()
        .first(...columns),

    async update(trx: Trx, project: string, choice: EmbeddingChoice): Promise<void> {
      const version = trx.raw('version + 1')
      await trx('models.embedding')
        .where({ project })
        .update({ ...choice, version, updatedAt: trx.fn.now() })
    },

    async remove(trx: Trx, project: string): Promise<void> {
      await trx('models.embedding').where({ project }).delete()
    }
  }
}
