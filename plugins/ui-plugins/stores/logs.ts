import type { Kernel, Owned, PageOf, Paging } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { AppLogLine } from '../schemas/logs.ts'

export type LogRow = AppLogLine & Owned & { readonly appId: string }

const types: Readonly<Record<keyof LogRow, string>> = {
  project: 'text',
  id: 'text',
  owner: 'text',
  appId: 'text',
  at: 'timestamptz',
  level: 'text',
  kind: 'text',
  source: 'text',
  version: 'text',
  callerId: 'text',
  function: 'text',
  method: 'text',
  code: 'text',
  text: 'text'
}
const columns = Object.keys(types).map((name) => `"${name}"`)
const typed = Object.entries(types).map(([name, type]) => `"${name}" ${type}`)
// Of an app that is gone meanwhile nothing is written.
const insertText = `insert into ui_plugins.app_log (${columns})
  select ${columns} from jsonb_to_recordset(?::jsonb) as g(${typed})
  where exists (select from ui_plugins.app a where a.project = g.project and a.id = g."appId")`

export type LogStore = ReturnType<typeof createLogStore>

export function createLogStore({ knex }: Pick<Kernel, 'knex'>) {
  const lines = (project: string, appId: string) => knex('ui_plugins.app_log').where({ project, appId })
  return {
    async insert(rows: readonly LogRow[]): Promise<void> {
      await knex.raw(insertText, [JSON.stringify(rows)])
    },

    list(
      project: string,
      appId: string,
      page: Paging,
      { levels, since }: { levels?: readonly string[] | undefined; since?: string | undefined }
    ): Promise<PageOf<AppLogLine>> {
      const query = lines(project, appId)
      if (levels) query.whereIn('level', [...levels])
      if (since !== undefined) query.where('at', '>=', since)
      return paginate<AppLogLine>(
        query.select(
          'id',
          'at',
          'level',
          'kind',
          'source',
          'version',
          'callerId',
          'function',
          'method',
          'code',
          'text'
        ),
        page,
        'app_log'
      )
    },

    /** All but the newest so many. */
    removeOld: (project: string, appId: string, most: number): Promise<number> =>
      lines(project, appId)
        .where('id', '<=', lines(project, appId).orderBy('id', 'desc').offset(most).limit(1).select('id'))
        .delete()
  }
}
