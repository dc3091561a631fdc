import type { Kernel, Trx } from 'agent-platform'
import { lockName } from 'agent-platform'

/** Whose pins, and for which pages; `userId` is empty for those of the project. */
export interface LayoutKey {
  readonly project: string
  readonly userId: string
  readonly scope: string
}
export interface LayoutRow extends LayoutKey {
  readonly pins: readonly string[]
  readonly version: number
}

const columns = ['project', 'userId', 'scope', 'pins', 'version']

export type LayoutStore = ReturnType<typeof createLayoutStore>

export function createLayoutStore({ knex }: Pick<Kernel, 'knex'>) {
  const layouts = (on: Kernel['knex'] | Trx = knex) => on('ui_plugins.layout')
  return {
    find: (trx: Trx, key: LayoutKey): Promise<LayoutRow | undefined> =>
      layouts(trx)
        .where({ ...key })
        .first(...columns),

    /** The user’s and the project’s, of those scopes. */
    listSome: (project: string, userId: string, scopes: readonly string[]): Promise<LayoutRow[]> =>
      layouts()
        .where({ project })
        .whereIn('userId', [userId, ''])
        .whereIn('scope', [...scopes])
        .select(...columns),

    /** What one user pins is changed by one transaction after the other. */
    lock: (trx: Trx, { project, userId }: LayoutKey): Promise<void> =>
      lockName(trx, 'ui_plugins.layout', project, userId),

    async countOfUser(trx: Trx, { project, userId }: LayoutKey): Promise<number> {
      const row = await layouts(trx).where({ project, userId }).count('* as count').first()
      return Number(row?.count)
    },

    async replace(trx: Trx, key: LayoutKey, pins: readonly string[]): Promise<void> {
      await layouts(trx)
        .insert({ ...key, pins: JSON.stringify(pins) })
        .onConflict(['project', 'userId', 'scope'])
        .merge({
          pins: JSON.stringify(pins),
          version: trx.raw('ui_plugins.layout.version + 1'),
          updatedAt: trx.fn.now()
        })
    },

    /** Of an app that goes: wherever it is pinned. */
    async removePins(trx: Trx, project: string, pluginId: string): Promise<void> {
      await layouts(trx)
        .where({ project })
        .whereRaw('pins @> ?::jsonb', [JSON.stringify([pluginId])])
        .update({ pins: trx.raw('pins - ?::text', [pluginId]), version: trx.raw('version + 1') })
    },

    remove: (trx: Trx, key: LayoutKey): Promise<number> =>
      layouts(trx)
        .where({ ...key })
        .delete()
  }
}
