import type { Kernel, Paging, Trx } from 'agent-platform'
import { lockName, paginate } from 'agent-platform'
import type { AssignmentRow } from '../rows.ts'
import { assignments } from '../schemas/assignments.ts'

export type AssignmentStore = ReturnType<typeof createAssignmentStore>
type NewRow = Omit<AssignmentRow, 'toolName' | 'version' | 'createdAt' | 'updatedAt'>

/** A static tool has no row, and its name is its id. */
const toolName = `coalesce((select t.name from tools.tool t
  where t.project = assignment.project and t.id = assignment."toolId"), assignment."toolId") as "toolName"`

export function createAssignmentStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on<AssignmentRow>(assignments.name)
  const shown = [...assignments.columns, knex.raw(toolName)] as never[]

  return {
    find: (id: string): Promise<AssignmentRow | undefined> =>
      rows()
        .where({ id })
        .first(...shown),

    list: (project: string, agentId: string, page: Paging) =>
      paginate<AssignmentRow>(
        rows()
          .where({ project, agentId })
          .select(...shown),
        page,
        'assign'
      ),

    /** Undefined when the agent has the tool already. */
    async insert(trx: Trx, row: NewRow): Promise<AssignmentRow | undefined> {
      const [inserted] = await rows(trx)
        .insert(row)
        .onConflict(['project', 'agentId', 'toolId'])
        .ignore()
        .returning(shown)
      return inserted as AssignmentRow | undefined
    },

    /** Tools are assigned to one agent by one transaction after the other. */
    lockAgent: (trx: Trx, project: string, agentId: string): Promise<void> =>
      lockName(trx, 'tools.assignment', project, agentId),

    async count(trx: Trx, project: string, agentId: string): Promise<number> {
      const [counted] = await rows(trx).where({ project, agentId }).count()
      return Number(counted?.count)
    },

    removeOfTools: (trx: Trx, project: string, toolIds: readonly string[]): Promise<number> =>
      rows(trx)
        .where({ project })
        .whereIn('toolId', [...toolIds])
        .delete()
  }
}
