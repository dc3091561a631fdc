import type { Kernel, PageOf, Paging, Principal, Searching, Trx } from 'agent-platform'
import { lockName, OrNull, paginate, Time, table } from 'agent-platform'
import { Grants } from 'agent-platform-app/grants'
import type { Static } from 'typebox'
import { Type } from 'typebox'
import { visibleTo } from '../access.ts'
import { App } from '../schemas/apps.ts'

const Row = Type.Object(
  {
    id: Type.String(),
    owner: Type.String(),
    ...Type.Pick(App, ['pluginId', 'status', 'audience']).properties,
    grants: Grants,
    /** A row of `app_version`, as the next one. */
    enabledId: OrNull(Type.String()),
    /** What was registered last; the same one where nothing waits to be enabled. */
    draftId: Type.String(),
    /** Set by people, in place of the version's. */
    icon: OrNull(Type.Object({ size: Type.Integer(), sha256: Type.String() })),
    version: Type.Integer(),
    createdAt: Time,
    updatedAt: Time
  },
  { title: 'App' }
)
export const apps = table('ui_plugins.app', Row)
export type AppRow = Static<typeof Row> & { readonly project: string }

export type AppStore = ReturnType<typeof createAppStore>

export function createAppStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (project: string, pluginId: string, on: Kernel['knex'] | Trx = knex): Promise<AppRow | undefined> =>
      on(apps.name)
        .where({ project, pluginId })
        .first(...apps.columns),

    list: (by: Principal, page: Searching, status?: AppRow['status']): Promise<PageOf<AppRow>> => {
      const query = visibleTo(by, knex(apps.name).select(...apps.columns))
      return paginate<AppRow>(status ? query.where({ status }) : query, page, 'app', ['pluginId'])
    },

    /** As `mayUse` says of each of them. */
    listUsable: ({ project, owner }: Principal, page: Paging): Promise<PageOf<AppRow>> => {
      const usable = knex(apps.name).where({ project, status: 'enabled' })
      usable.where((whose) => void whose.where('audience', 'project').orWhere({ owner }))
      return paginate<AppRow>(usable.select(...apps.columns), page, 'app')
    },

    listAt: (trx: Trx, project: string, ids: readonly string[]): Promise<AppRow[]> =>
      trx(apps.name)
        .where({ project })
        .whereIn('id', [...ids])
        .select(...apps.columns),

    /** Of all projects, those that were ever enabled. */
    listInstalled: (after: string, limit: number): Promise<AppRow[]> =>
      knex(apps.name)
        .whereNotNull('enabledId')
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .select(...apps.columns),

    /** Those of these ids that are there. */
    listNamed: (project: string, pluginIds: readonly string[]): Promise<AppRow[]> =>
      knex(apps.name)
        .where({ project })
        .whereIn('pluginId', [...pluginIds])
        .select(...apps.columns),

    /** Registrations under one id come one after the other. */
    lockPlugin: (trx: Trx, project: string, pluginId: string): Promise<void> =>
      lockName(trx, 'ui_plugins.app', project, pluginId),

    /** So do those that count for one owner; taken after `lockPlugin`. */
    lockQuota: (trx: Trx, project: string, owner: string): Promise<void> =>
      lockName(trx, 'ui_plugins.quota', project, owner),

    async countOfOwner(trx: Trx, project: string, owner: string): Promise<number> {
      const row = await trx(apps.name).where({ project, owner }).count('* as count').first()
      return Number(row?.count)
    }
  }
}
