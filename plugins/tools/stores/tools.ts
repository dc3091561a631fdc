import type { Kernel, Owned, Trx } from 'agent-platform'
import type { ToolRow } from '../rows.ts'

export type ToolStore = ReturnType<typeof createToolStore>
interface Key {
  readonly project: string
  readonly id: string
  readonly version?: number | undefined
}
type Changed = Partial<
  Pick<ToolRow, 'owner' | 'name' | 'description' | 'parameters' | 'config' | 'idempotent' | 'unavailable'>
>
type NewRow = Required<Changed> & Owned & Pick<ToolRow, 'id' | 'kind'>

export const toolColumns = [
  'id',
  'project',
  'owner',
  'kind',
  'name',
  'description',
  'parameters',
  'config',
  'idempotent',
  'unavailable',
  'version',
  'createdAt',
  'updatedAt'
] as const

/** Arrays would be taken for PostgreSQL's own. */
const jsonOf = ({ parameters, config, ...rest }: Changed) => ({
  ...rest,
  ...(parameters && { parameters: JSON.stringify(parameters) }),
  ...(config && { config: JSON.stringify(config) })
})

export function createToolStore({ knex }: Pick<Kernel, 'knex'>) {
  const tools = (on: Kernel['knex'] | Trx = knex) => on('tools.tool')

  return {
    /** By id alone, across projects: this is what tells 403 from 404. */
    find: (id: string, on?: Trx): Promise<ToolRow | undefined> =>
      tools(on)
        .where({ id })
        .first(...toolColumns),

    findNamed: (project: string, name: string, on?: Trx): Promise<ToolRow | undefined> =>
      tools(on)
        .where({ project, name })
        .first(...toolColumns),

    /** As it is now; it stays so until the transaction ends. */
    take: (trx: Trx, project: string, id: string): Promise<ToolRow | undefined> =>
      tools(trx)
        .where({ project, id })
        .forUpdate()
        .first(...toolColumns),

    list: (trx: Trx, project: string, ids: readonly string[]): Promise<ToolRow[]> =>
      tools(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .orderBy('id')
        .forUpdate()
        .select(...toolColumns),

    /** Of these names those that are taken. */
    async listNames(trx: Trx, project: string, names: readonly string[]): Promise<string[]> {
      return tools(trx)
        .where({ project })
        .whereIn('name', [...names])
        .pluck('name')
    },

    /** Whoever gives names to tools of that project waits for the end of the transaction. */
    async takeNames(trx: Trx, project: string): Promise<void> {
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`tools.tool/name/${project}`])
    },

    async insert(trx: Trx, row: NewRow): Promise<ToolRow> {
      const [inserted] = await tools(trx)
        .insert({ ...row, ...jsonOf(row) })
        .returning([...toolColumns])
      return inserted
    },

    /** Undefined when it is gone, or `version` is given and no longer the current one. */
    async update(trx: Trx, { project, id, version }: Key, changes: Changed): Promise<ToolRow | undefined> {
      const [row] = await tools(trx)
        .where({ project, id, ...(version !== undefined && { version }) })
        .update({ ...jsonOf(changes), version: trx.raw('version + 1'), updatedAt: trx.fn.now() })
        .returning([...toolColumns])
      return row
    },

    remove: (trx: Trx, project: string, ids: readonly string[]): Promise<ToolRow[]> =>
      tools(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .delete()
        .returning([...toolColumns]) as never
  }
}
