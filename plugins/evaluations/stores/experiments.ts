import type { Kernel, Owned, Trx } from 'agent-platform'
import { lockName } from 'agent-platform'
import type { ExperimentRow, Summary } from '../schemas/experiments.ts'
import { experiments } from '../schemas/experiments.ts'
import type { Failure } from '../schemas/results.ts'

export type ExperimentStore = ReturnType<typeof createExperimentStore>
interface Key {
  readonly project: string
  readonly id: string
}
interface End {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly summary: Summary
  readonly error: Failure | null
}

export function createExperimentStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** By id alone, across projects: this is what tells 403 from 404. */
    findAll: (ids: readonly string[]): Promise<ExperimentRow[]> =>
      knex(experiments.name)
        .whereIn('id', [...ids])
        .select(...experiments.columns),

    /** In the order of their ids, so that two who take several never wait for each other; without those that are gone. */
    lockAll: (trx: Trx, keys: readonly Key[]): Promise<ExperimentRow[]> =>
      trx(experiments.name)
        .whereIn(
          ['project', 'id'],
          keys.map(({ project, id }) => [project, id])
        )
        .orderBy(['project', 'id'])
        .forUpdate()
        .select(...experiments.columns),

    /** Of one owner, whose others wait until the transaction ends. */
    async countOwn(trx: Trx, { project, owner }: Owned): Promise<{ all: number; running: number }> {
      await lockName(trx, experiments.name, project, owner)
      const [found] = await trx(experiments.name)
        .where({ project, owner })
        .select(
          trx.raw(`count(*)::int as "all", (count(*) filter (where status = 'running'))::int as running`)
        )
      return found
    },

    async countRunning(trx: Trx, project: string, of: { datasetId: string }): Promise<number> {
      const [found] = await trx(experiments.name)
        .where({ project, ...of, status: 'running' })
        .count('id as count')
      return Number((found as { count: string }).count)
    },

    updateEnded: async (trx: Trx, { project, id }: Key, more: number): Promise<number> => {
      const [row] = await trx(experiments.name)
        .where({ project, id })
        .update({ endedCount: trx.raw('"endedCount" + ?', [more]) })
        .returning('endedCount')
      return row.endedCount
    },

    settle: async (
      trx: Trx,
      { project, id }: Key,
      { status, summary, error }: End
    ): Promise<ExperimentRow> => {
      const [row] = await trx(experiments.name)
        .where({ project, id })
        .update({ status, summary, error, endedAt: trx.fn.now() })
        .returning([...experiments.columns])
      return row
    },

    /** Experiments of a dataset or an agent. */
    listIdsOf: (
      trx: Trx,
      project: string,
      of: { readonly datasetId: string } | { readonly agentId: string },
      limit: number
    ): Promise<string[]> =>
      trx(experiments.name)
        .where({ project, ...of })
        .limit(limit)
        .pluck('id'),

    removeAll: (trx: Trx, project: string, ids: readonly string[]): Promise<number> =>
      trx(experiments.name)
        .where({ project })
        .whereIn('id', [...ids])
        .delete()
  }
}
