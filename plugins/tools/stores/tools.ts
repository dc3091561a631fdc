import type { Kernel, Owned, Trx } from 'agent-platform'
import { conflict } from 'agent-platform'
import type { ToolRow } from '../rows.ts'
import { tools } from '../schemas/tools.ts'

export type ToolStore = ReturnType<typeof createToolStore>
type Key = Pick<ToolRow, 'project' | 'id'>
type Changed = Partial<
  Pick<ToolRow, 'owner' | 'name' | 'description' | 'parameters' | 'config' | 'idempotent' | 'unavailable'>
>
type NewRow = Required<Changed> & Owned & Pick<ToolRow, 'id' | 'kind'>

export const nameTaken = (name: string | undefined) =>
  conflict(`There is a tool ${name} already`, { param: '/name', code: 'name_taken' })
const byName = (a: NewRow, b: NewRow) => (a.name < b.name ? -1 : 1)

export function createToolStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on(tools.name)
  const columns = [...tools.columns]

  return {
    findNamed: (project: string, name: string, on?: Trx): Promise<ToolRow | undefined> =>
      rows(on)
        .where({ project, name })
        .first(...columns),

    /** As it stays until the transaction ends. */
    lock: (trx: Trx, project: string, id: string): Promise<ToolRow | undefined> =>
      rows(trx)
        .where({ project, id })
        .forUpdate()
        .first(...columns),

    list: (trx: Trx, project: string, ids: readonly string[]): Promise<ToolRow[]> =>
      rows(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .orderBy('id')
        .forUpdate()
        .select(...columns),

    /** Of these names those that are taken. */
    async listNames(trx: Trx, project: string, names: readonly string[]): Promise<string[]> {
      return rows(trx)
        .where({ project })
        .whereIn('name', [...names])
        .pluck('name')
    },

    /** Those whose name is taken are left out; in one order for everyone, so that no two wait for each other. */
    insert: (trx: Trx, added: readonly NewRow[]): Promise<ToolRow[]> =>
      rows(trx)
        .insert(added.toSorted(byName))
        .onConflict(['project', 'name'])
        .ignore()
        .returning(columns) as never,

    /** 409 where the name is taken. */
    update: (trx: Trx, key: Key, changes: Changed, version?: number) =>
      tools.update(trx, key, changes, version).catch((error) => {
        throw error.constraint === 'tool_name' ? nameTaken(changes.name) : error
      }),

    remove: (trx: Trx, project: string, ids: readonly string[]): Promise<ToolRow[]> =>
      rows(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .delete()
        .returning(columns) as never
  }
}
