import type { Kernel } from 'agent-platform'
import type { Fallback } from '../schemas/fallbacks.ts'
import type { StoredRun } from './row.ts'

export type FallbackStore = ReturnType<typeof createFallbackStore>

/** Other models that runs went on with. */
export function createFallbackStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    update: async (
      { project, id }: Pick<StoredRun, 'project' | 'id'>,
      fallbacks: readonly Fallback[]
    ): Promise<void> => {
      await knex('runs.run')
        .where({ project, id })
        .update({ fallbacks: JSON.stringify(fallbacks) })
    }
  }
}
