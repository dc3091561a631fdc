import type { Kernel } from 'agent-platform'

export type AbsenceStore = ReturnType<typeof createAbsenceStore>

export interface Kept {
  readonly project: string
  readonly collection: string
}

/** Collections that no pack contributes, and what is kept of them. */
export function createAbsenceStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** Each collection of each project that has entries: from one to the next by the index, not by reading all. */
    async listKept(): Promise<Kept[]> {
      const { rows } = await knex.raw(
        `with recursive kept as (
          (select project, collection from retrieval.entry order by project, collection limit 1)
          union all
          select next.project, next.collection from kept k cross join lateral (
            select project, collection from retrieval.entry e
              where (e.project, e.collection) > (k.project, k.collection) order by project, collection limit 1) next)
        select project, collection from kept`
      )
      return rows
    },

    /** These are absent, from now on where they were not, and no other one is. */
    async replace(collections: readonly string[]): Promise<void> {
      await knex.raw(
        `with gone as (delete from retrieval.absence where collection <> all(?::text[]))
          insert into retrieval.absence (collection) select unnest(?::text[]) on conflict do nothing`,
        [[...collections], [...collections]]
      )
    },

    /** Those that have been absent for so many days. */
    async list(days: number): Promise<string[]> {
      const found = await knex('retrieval.absence')
        .whereRaw('since <= now() - make_interval(days => ?)', [days])
        .select('collection')
      return found.map(({ collection }) => collection)
    },

    async listIds({ project, collection }: Kept, limit: number): Promise<string[]> {
      const found = await knex('retrieval.entry').where({ project, collection }).limit(limit).select('entry')
      return found.map(({ entry }) => entry)
    }
  }
}
