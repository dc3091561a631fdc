import type { Kernel, Owned, PageOf, Paging, Principal, Trx } from 'agent-platform'
import { lockName, paginate } from 'agent-platform'
import type { Manifest } from 'agent-platform-app/manifest'
import type { InstalledApp } from '../../ui-plugins/contract.ts'

export type Declared = Manifest['functions'][number]

/** A function of an app as a tool. */
export interface ToolRow extends Owned {
  /** The tool's. */
  readonly id: string
  /** Of the installation. */
  readonly appId: string
  readonly pluginId: string
  readonly audience: 'owner' | 'project'
  /** As the manifest calls it. */
  readonly name: string
  /** As agents call it. */
  readonly toolName: string
  /** As it was last declared. */
  readonly declared: Declared
  readonly unavailable: string | null
}

const columns = [
  'project',
  'id',
  'owner',
  'appId',
  'pluginId',
  'audience',
  'name',
  'toolName',
  'declared',
  'unavailable'
] as const

export type ToolStore = ReturnType<typeof createToolStore>

export function createToolStore({ knex }: Pick<Kernel, 'knex'>) {
  const tools = (on: Kernel['knex'] | Trx = knex) => on<ToolRow>('app_functions.tool')
  const apps = (on: Kernel['knex'] | Trx = knex) => on<InstalledApp>('app_functions.app')
  /** Those that can be used now, as `UiPlugins.usable` says of their apps. */
  const usable = ({ project, owner }: Principal) =>
    tools()
      .where({ project })
      .whereNull('unavailable')
      .where((whose) => void whose.where('audience', 'project').orWhere({ owner }))

  return {
    /** Changes of the tools of one app come one after the other, also of one that has none yet. */
    lockApp: (trx: Trx, project: string, appId: string): Promise<void> =>
      lockName(trx, 'app_functions.app', project, appId),

    /** As which the tools of these apps were last written, by id; without those of which none ever were. */
    async listRevisions(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const rows = await apps().whereIn('id', [...ids])
      return new Map(rows.map(({ id, revision }) => [id, revision]))
    },

    rememberApp: (trx: Trx, app: InstalledApp): Promise<unknown> =>
      apps(trx).insert(app).onConflict(['project', 'id']).merge(),

    removeApp: (trx: Trx, project: string, id: string): Promise<number> =>
      apps(trx).where({ project, id }).delete(),

    /** All of an app, in the order in which they came; they stay as they are until the transaction ends. */
    listOfApp: (trx: Trx, project: string, appId: string): Promise<ToolRow[]> =>
      tools(trx)
        .where({ project, appId })
        .orderBy('id')
        .forUpdate()
        .select(...columns),

    listUsable: (by: Principal, page: Paging): Promise<PageOf<ToolRow>> =>
      paginate<ToolRow>(usable(by).select(...columns), page, 'tool'),

    findUsable: (by: Principal, toolName: string): Promise<ToolRow | undefined> =>
      usable(by)
        .where({ toolName })
        .first(...columns),

    listNamed: (project: string, ids: readonly string[]): Promise<ToolRow[]> =>
      tools()
        .where({ project })
        .whereIn('id', [...ids])
        .select(...columns),

    /** Writes them as they are now, whether they were there or not. */
    async replace(trx: Trx, rows: readonly ToolRow[]): Promise<void> {
      if (rows.length === 0) return
      const written = rows.map((row) => ({ ...row, declared: JSON.stringify(row.declared) }))
      await trx('app_functions.tool').insert(written).onConflict(['project', 'id']).merge()
    },

    remove: (trx: Trx, project: string, ids: readonly string[]): Promise<number> =>
      tools(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .delete()
  }
}
