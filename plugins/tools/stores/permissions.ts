import type { Kernel, Owned, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { PermissionRow } from '../rows.ts'
import { permissions } from '../schemas/permissions.ts'
import type { Subject } from '../subjects.ts'

export type PermissionStore = ReturnType<typeof createPermissionStore>
type NewRow = Omit<PermissionRow, 'version' | 'createdAt' | 'updatedAt'>

const subjectOfTool = ['project', 'toolId', 'subjectType', 'subjectId'] as const

const keyOf = (row: NewRow) => subjectOfTool.map((column) => row[column])
const byKey = (a: NewRow, b: NewRow) => (keyOf(a).join(' ') < keyOf(b).join(' ') ? -1 : 1)

export function createPermissionStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on<PermissionRow>(permissions.name)
  const columns = permissions.columns as never[]

  return {
    listOfTool: (project: string, toolId: string, page: Paging) =>
      paginate<PermissionRow>(
        rows()
          .where({ project, toolId })
          .select(...columns),
        page,
        'perm'
      ),

    listOfSubject: (project: string, { subjectType, subjectId }: Subject, page: Paging) =>
      paginate<PermissionRow>(
        rows()
          .where({ project, subjectType, subjectId })
          .select(...columns),
        page,
        'perm'
      ),

    /** Agents that were granted the tool themselves. */
    listAgents: (project: string, toolId: string, on?: Trx): Promise<string[]> =>
      rows(on).where({ project, toolId, subjectType: 'agent' }).pluck('subjectId'),

    /**
     * No two for the same subject and tool. A subject that has a permission gets the level of the new one; those that
     * had it already are left out of what is returned. In one order for everyone, so that no two wait for each other.
     */
    insert: (trx: Trx, granted: readonly NewRow[]): Promise<(PermissionRow & { isNew: boolean })[]> =>
      rows(trx)
        .insert([...granted].sort(byKey))
        .onConflict([...subjectOfTool])
        .merge({
          level: trx.raw('excluded.level') as never,
          grantedBy: trx.raw('excluded."grantedBy"') as never,
          version: trx.raw('permission.version + 1') as never,
          updatedAt: trx.fn.now() as never
        })
        .whereRaw('permission.level <> excluded.level')
        .returning([...columns, trx.raw('xmax = 0 as "isNew"') as never]) as never,

    /** Those for the same subjects and tools. */
    listAt: (trx: Trx, granted: readonly NewRow[]): Promise<PermissionRow[]> =>
      rows(trx)
        .whereIn([...subjectOfTool], granted.map(keyOf))
        .select(...columns),

    /** What these subjects were granted of one tool. */
    removeOfSubjects: (
      trx: Trx,
      project: string,
      toolId: string,
      subjects: readonly Subject[]
    ): Promise<PermissionRow[]> =>
      rows(trx)
        .where({ project, toolId })
        .whereIn(
          ['subjectType', 'subjectId'],
          subjects.map(({ subjectType, subjectId }) => [subjectType, subjectId])
        )
        .delete()
        .returning([...columns]) as never,

    /** They belong to the owner of their tool. */
    updateOwner: (trx: Trx, { project, owner }: Owned, toolId: string): Promise<number> =>
      rows(trx).where({ project, toolId }).update({ owner }),

    removeOfTools: (trx: Trx, project: string, toolIds: readonly string[]): Promise<number> =>
      rows(trx)
        .where({ project })
        .whereIn('toolId', [...toolIds])
        .delete(),

    removeOfAgent: (
      { project, id: subjectId }: { project: string; id: string },
      trx: Trx,
      limit: number
    ): Promise<number> =>
      rows(trx)
        .where({ project })
        .whereIn(
          'id',
          rows(trx).where({ project, subjectType: 'agent', subjectId }).limit(limit).select('id')
        )
        .delete()
  }
}
