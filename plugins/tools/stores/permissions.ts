import type { Kernel, Owned, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { Subject } from '../holders.ts'
import type { PermissionRow } from '../rows.ts'

export type PermissionStore = ReturnType<typeof createPermissionStore>
type NewRow = Omit<PermissionRow, 'createdAt'>

const columns = [
  'id',
  'project',
  'owner',
  'toolId',
  'subjectType',
  'subjectId',
  'level',
  'grantedBy',
  'createdAt'
] as const
const place = ['project', 'toolId', 'subjectType', 'subjectId'] as const

const placeOf = (row: Pick<NewRow, (typeof place)[number]>) => place.map((column) => row[column])
const byPlace = (a: NewRow, b: NewRow) => (placeOf(a).join(' ') < placeOf(b).join(' ') ? -1 : 1)

export function createPermissionStore({ knex }: Pick<Kernel, 'knex'>) {
  const permissions = (on: Kernel['knex'] | Trx = knex) => on<PermissionRow>('tools.permission')

  return {
    find: (id: string): Promise<PermissionRow | undefined> =>
      permissions()
        .where({ id })
        .first(...columns),

    listOfTool: (project: string, toolId: string, page: Paging) =>
      paginate<PermissionRow>(
        permissions()
          .where({ project, toolId })
          .select(...columns),
        page
      ),

    listOfSubject: (project: string, { subjectType, subjectId }: Subject, page: Paging) =>
      paginate<PermissionRow>(
        permissions()
          .where({ project, subjectType, subjectId })
          .select(...columns),
        page
      ),

    /** Agents that were granted the tool themselves. */
    listAgents: (project: string, toolId: string, on?: Trx): Promise<string[]> =>
      permissions(on).where({ project, toolId, subjectType: 'agent' }).pluck('subjectId'),

    /**
     * No two for the same subject and tool. A subject that has a permission gets the level of the new one; those that
     * had it already are left out of what is returned. In one order for everyone, so that no two wait for each other.
     */
    insert: (trx: Trx, rows: readonly NewRow[]): Promise<(PermissionRow & { isNew: boolean })[]> =>
      permissions(trx)
        .insert([...rows].sort(byPlace))
        .onConflict([...place])
        .merge(['level', 'grantedBy'])
        .whereRaw('permission.level <> excluded.level')
        .returning([...columns, trx.raw('xmax = 0 as "isNew"') as never]) as never,

    /** Those for the same subjects and tools. */
    listAt: (trx: Trx, rows: readonly NewRow[]): Promise<PermissionRow[]> =>
      permissions(trx)
        .whereIn([...place], rows.map(placeOf))
        .select(...columns),

    async remove(trx: Trx, project: string, id: string): Promise<PermissionRow | undefined> {
      const [removed] = await permissions(trx)
        .where({ project, id })
        .delete()
        .returning([...columns])
      return removed as PermissionRow | undefined
    },

    /** What these subjects were granted of one tool. */
    removeOfSubjects: (
      trx: Trx,
      project: string,
      toolId: string,
      subjects: readonly Subject[]
    ): Promise<PermissionRow[]> =>
      permissions(trx)
        .where({ project, toolId })
        .whereIn(
          ['subjectType', 'subjectId'],
          subjects.map(({ subjectType, subjectId }) => [subjectType, subjectId])
        )
        .delete()
        .returning([...columns]) as never,

    /** They belong to the owner of their tool. */
    updateOwner: (trx: Trx, { project, owner }: Owned, toolId: string): Promise<number> =>
      permissions(trx).where({ project, toolId }).update({ owner }),

    removeOfTools: (trx: Trx, project: string, toolIds: readonly string[]): Promise<number> =>
      permissions(trx)
        .where({ project })
        .whereIn('toolId', [...toolIds])
        .delete(),

    removeOfAgent: (project: string, agentId: string, trx: Trx, limit: number): Promise<number> =>
      permissions(trx)
        .where({ project })
        .whereIn(
          'id',
          permissions(trx)
            .where({ project, subjectType: 'agent', subjectId: agentId })
            .limit(limit)
            .select('id')
        )
        .delete()
  }
}
