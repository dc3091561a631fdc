import type { Trx } from 'agent-platform'
import type { StoredRun } from './row.ts'

export type ShareStore = ReturnType<typeof createShareStore>

export function createShareStore() {
  return {
    /** Shown to its project by that one, or by none; undefined where it was so already. */
    updateShared: async (
      trx: Trx,
      { project, id }: Pick<StoredRun, 'project' | 'id'>,
      sharedBy: string | null
    ): Promise<Pick<StoredRun, 'id' | 'sharedBy' | 'sharedAt'> | undefined> => {
      const [changed] = await trx('runs.run')
        .where({ project, id })
        .where((before) =>
          sharedBy === null ? before.whereNotNull('sharedAt') : before.whereNull('sharedAt')
        )
        .update({ sharedBy, sharedAt: sharedBy === null ? null : new Date() })
        .returning(['id', 'sharedBy', 'sharedAt'])
      return changed
    }
  }
}
