import type { Kernel, Trx } from 'agent-platform'
import type { Pending } from './entries.ts'

export type PendingStore = ReturnType<typeof createPendingStore>

const columns = `number::float8 as number, collection, scope, text`

/** Which entries want a vector, and which have one. */
export function createPendingStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = async (sql: string, given: readonly unknown[]) =>
    (await knex.raw(sql, given as never[])).rows as Pending[]

  return {
    /** The next ones after that number without a vector of any model. */
    listPending: (project: string, after: number, limit: number) =>
      rows(
        `select ${columns} from retrieval.entry where project = ? and number > ? and model is null and not failed
          order by entry.number limit ?`,
        [project, after, limit]
      ),

    /** The next ones after that number that this model was not asked for, those that another one refused among them. */
    listOther: (project: string, model: string, after: number, limit: number) =>
      rows(
        `select ${columns} from retrieval.entry where project = ? and number > ? and model is distinct from ?
          order by entry.number limit ?`,
        [project, after, model, limit]
      ),

    listByIds: (project: string, collection: string, ids: readonly string[]) =>
      rows(
        `select ${columns} from retrieval.entry where project = ? and collection = ? and entry = any(?::text[])
          and model is null and not failed`,
        [project, collection, [...ids]]
      ),

    /** How many of these have no vector of the model, though they are there. */
    async countWithout(project: string, collection: string, ids: readonly string[], model: string) {
      const [{ count }] = await knex('retrieval.entry')
        .where({ project, collection })
        .whereRaw('entry = any(?::text[]) and (failed or model is distinct from ?)', [[...ids], model])
        .select(knex.raw('count(*)::int as count'))
      return count as number
    },

    async update(trx: Trx, project: string, numbers: readonly number[], model: string): Promise<void> {
      await trx.raw(
        'update retrieval.entry set model = ?, failed = false where project = ? and number = any(?::bigint[])',
        [model, project, [...numbers]]
      )
    },

    /** That model refuses its text. */
    async updateFailed(project: string, number: number, model: string): Promise<void> {
      await knex('retrieval.entry').where({ project, number }).update({ failed: true, model })
    },

    async count(project: string, collection: string, scopes: readonly string[] | undefined, model: string) {
      const query = knex('retrieval.entry').where({ project, collection })
      if (scopes) query.whereRaw('scope = any(?::text[])', [[...scopes]])
      const [row] = await query.select(
        knex.raw(
          `count(*)::int as total, count(*) filter (where model = ? and not failed)::int as embedded,
            count(*) filter (where failed)::int as failed`,
          [model]
        )
      )
      return row as { total: number; embedded: number; failed: number }
    },

    /** Projects with entries that want a vector. */
    async listProjects(limit: number): Promise<string[]> {
      const found = await knex('retrieval.entry')
        .whereRaw('model is null and not failed')
        .distinct('project')
        .limit(limit)
      return found.map(({ project }) => project)
    },

    /** Models of which the project has vectors, the latest first. */
    async listModels(project: string): Promise<string[]> {
      const found = await knex('retrieval.model')
        .where({ project })
        .orderBy('createdAt', 'desc')
        .select('model')
      return found.map(({ model }) => model)
    },
    listAllModels: (): Promise<{ project: string; model: string }[]> =>
      knex('retrieval.model').select('project', 'model'),

    async insertModel(trx: Trx, project: string, model: string): Promise<void> {
      await trx('retrieval.model').insert({ project, model }).onConflict(['project', 'model']).ignore()
    },
    async removeModel(trx: Trx, project: string, model: string): Promise<void> {
      await trx('retrieval.model').where({ project, model }).delete()
    },

    /** What was removed so long ago that no instance has it in memory. */
    async removeOld(hours: number): Promise<void> {
      await knex.raw(`delete from retrieval.removal where "createdAt" < now() - make_interval(hours => ?)`, [
        hours
      ])
    }
  }
}
