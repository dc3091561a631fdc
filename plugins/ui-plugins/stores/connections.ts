import type { Kernel, Trx } from 'agent-platform'

export interface ConnectionRow {
  readonly key: string
  readonly sealed: string | null
  /** Of an OAuth connection that stands for a key. */
  readonly connectionId: string | null
  readonly enabled: boolean
  readonly lastUsedAt: string | null
  readonly lastFailedAt: string | null
  readonly lastFailure: string | null
  readonly updatedAt: string
}
/** When a connection was used last, and how that went. */
export interface ConnectionUse {
  readonly project: string
  readonly appId: string
  readonly key: string
  readonly usedAt: Date
  readonly failedAt: Date | null
  readonly failure: string | null
}
interface Place {
  readonly project: string
  readonly appId: string
}

const columns = [
  'key',
  'sealed',
  'connectionId',
  'enabled',
  'lastUsedAt',
  'lastFailedAt',
  'lastFailure',
  'updatedAt'
]

export type ConnectionStore = ReturnType<typeof createConnectionStore>

export function createConnectionStore({ knex }: Pick<Kernel, 'knex'>) {
  const connections = (on: Kernel['knex'] | Trx = knex) => on('ui_plugins.connection')
  return {
    list: ({ project, appId }: Place): Promise<ConnectionRow[]> =>
      connections().where({ project, appId }).select(columns),

    /** The row as it stays until the transaction ends. */
    lock: (trx: Trx, { project, appId }: Place, key: string): Promise<ConnectionRow | undefined> =>
      connections(trx).where({ project, appId, key }).forUpdate().first(columns),

    replace: async (
      trx: Trx,
      { project, appId, owner }: Place & { readonly owner: string },
      row: Pick<ConnectionRow, 'key' | 'sealed' | 'connectionId' | 'enabled'>
    ): Promise<void> => {
      await connections(trx)
        .insert({ project, appId, owner, ...row, updatedAt: trx.fn.now() })
        .onConflict(['project', 'appId', 'key'])
        .merge(['sealed', 'connectionId', 'enabled', 'updatedAt'])
    },

    /** Of an app, all but those: the keys of what was removed. */
    removeOthers: async (trx: Trx, { project, appId }: Place, keep: readonly string[]): Promise<string[]> => {
      const gone = await connections(trx)
        .where({ project, appId })
        .whereNotIn('key', [...keep])
        .delete()
        .returning('key')
      return gone.map(({ key }) => key as string)
    },

    updateUses: async (uses: readonly ConnectionUse[]): Promise<void> => {
      await knex.raw(
        `update ui_plugins.connection c set "lastUsedAt" = greatest(c."lastUsedAt", u."usedAt"),
           "lastFailedAt" = greatest(c."lastFailedAt", u."failedAt"),
           "lastFailure" = case when u."failedAt" is null then c."lastFailure" else u.failure end
         from jsonb_to_recordset(?::jsonb) as u(project text, "appId" text, key text, "usedAt" timestamptz,
           "failedAt" timestamptz, failure text)
         where c.project = u.project and c."appId" = u."appId" and c.key = u.key`,
        [JSON.stringify(uses)]
      )
    }
  }
}
