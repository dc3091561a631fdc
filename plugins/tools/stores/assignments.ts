import type { Kernel, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { AssignmentRow } from '../rows.ts'
import type { AssignmentChanges } from '../schemas/assignments.ts'

export type AssignmentStore = ReturnType<typeof createAssignmentStore>
type NewRow = Omit<AssignmentRow, 'toolName' | 'version' | 'createdAt'>
interface Key {
  readonly project: string
  readonly id: string
  readonly version: number | undefined
}

const columns = [
  'id',
  'project',
  'owner',
  'agentId',
  'toolId',
  'policy',
  'enabled',
  'version',
  'createdAt'
] as const
/** A static tool has no row, and its name is its id. */
const toolName = `coalesce((select t.name from tools.tool t
  where t.project = assignment.project and t.id = assignment."toolId"), assignment."toolId") as "toolName"`

export function createAssignmentStore({ knex }: Pick<Kernel, 'knex'>) {
  const assignments = (on: Kernel['knex'] | Trx = knex) => on<AssignmentRow>('tools.assignment')
  const shown = [...columns, knex.raw(toolName)] as never[]

  return {
    find: (id: string): Promise<AssignmentRow | undefined> =>
      assignments()
        .where({ id })
        .first(...shown),

    list: (project: string, agentId: string, page: Paging) =>
      paginate<AssignmentRow>(
        assignments()
          .where({ project, agentId })
          .select(...shown),
        page
      ),

    /** Undefined when the agent has the tool already. */
    async insert(trx: Trx, row: NewRow): Promise<AssignmentRow | undefined> {
      const [inserted] = await assignments(trx)
        .insert(row)
        .onConflict(['project', 'agentId', 'toolId'])
        .ignore()
        .returning(shown)
      return inserted as AssignmentRow | undefined
    },

    /** Makes whoever assigns tools to that agent wait for the end of the transaction. */
    async takeAgent(trx: Trx, project: string, agentId: string): Promise<void> {
      const place = `tools.assignment/${JSON.stringify([project, agentId])}`
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [place])
    },

    async count(trx: Trx, project: string, agentId: string): Promise<number> {
      const [counted] = await trx('tools.assignment').where({ project, agentId }).count()
      return Number(counted?.count)
    },

    /** As it is until the transaction ends. */
    take: (trx: Trx, project: string, id: string): Promise<AssignmentRow | undefined> =>
      assignments(trx)
        .where({ project, id })
        .forUpdate()
        .first(...shown),

    /** Undefined when it is gone, or `version` is given and no longer the current one. */
    async update(
      trx: Trx,
      { version, ...key }: Key,
      changes: AssignmentChanges
    ): Promise<AssignmentRow | undefined> {
      const [row] = await assignments(trx)
        .where({ ...key, ...(version !== undefined && { version }) })
        .update({ ...changes, version: trx.raw('version + 1') as never })
        .returning(shown)
      return row as AssignmentRow | undefined
    },

    remove: (trx: Trx, project: string, id: string): Promise<number> =>
      assignments(trx).where({ project, id }).delete(),

    removeOfTools: (trx: Trx, project: string, toolIds: readonly string[]): Promise<number> =>
      assignments(trx)
        .where({ project })
        .whereIn('toolId', [...toolIds])
        .delete(),

    removeOfAgent: (project: string, agentId: string, trx: Trx, limit: number): Promise<number> =>
      assignments(trx)
        .where({ project })
        .whereIn('id', assignments(trx).where({ project, agentId }).limit(limit).select('id'))
        .delete()
  }
}
