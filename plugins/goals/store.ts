import type { Kernel, Owned, Trx } from 'agent-platform'
import type { Goal, GoalChanges, NewGoal } from './schemas.ts'

export type GoalStore = ReturnType<typeof createGoalStore>
type GoalRow = Goal & Owned

const columns = ['id', 'project', 'owner', 'agentId', 'title', 'progress', 'version', 'createdAt'] as const

/** The one file here that speaks SQL. */
export function createGoalStore({ knex }: Pick<Kernel, 'knex'>) {
  const goals = (on: Kernel['knex'] | Trx = knex) => on<GoalRow>('goals.goal')
  return {
    /** By id alone, across projects: this is what tells 403 from 404. */
    find: (id: string): Promise<GoalRow | undefined> =>
      goals()
        .where({ id })
        .first(...columns),

    async insert(trx: Trx, goal: NewGoal & Owned & { id: string }) {
      const [row] = await goals(trx)
        .insert(goal)
        .returning([...columns])
      return row as GoalRow
    },

    /** Undefined when `version` is given and no longer the current one. */
    async update(
      trx: Trx,
      { version, ...key }: { project: string; id: string; version: number | undefined },
      changes: GoalChanges
    ) {
      const [row] = await goals(trx)
        .where({ ...key, ...(version !== undefined && { version }) })
        .update({ ...changes, version: trx.raw('version + 1') as unknown as number })
        .returning([...columns])
      return row as GoalRow | undefined
    },

    removeOfAgent: (project: string, agentId: string, trx: Trx, limit: number): Promise<number> =>
      goals(trx)
        .whereIn('id', goals(trx).where({ project, agentId }).limit(limit).select('id'))
        .andWhere({ project })
        .delete()
  }
}
