import type { Kernel, PageOf, Paging, RemoveSome, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { Knex } from 'knex'
import type { Grant } from '../granting/schemas.ts'
import { grants } from '../granting/schemas.ts'
import type { Subject } from '../granting/subjects.ts'

export type GrantStore = ReturnType<typeof createGrantStore>
type Row = Grant & { project: string }

/** Grants of any of these subjects. */
export const grantsOf = (on: Knex | Trx, project: string, subjects: readonly Subject[]) =>
  on(grants.name)
    .where({ project })
    .whereIn(
      ['subjectType', 'subjectId'],
      subjects.map(({ subjectType, subjectId }) => [subjectType, subjectId])
    )

export function createGrantStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    listOfItem: (project: string, itemId: string, page: Paging): Promise<PageOf<Row>> =>
      paginate<Row>(
        knex(grants.name)
          .where({ project, itemId })
          .select(...grants.columns),
        page,
        'grant'
      ),

    /** What these subjects were granted of these items. */
    listOfSubjects: (
      project: string,
      subjects: readonly Subject[],
      itemIds: readonly string[]
    ): Promise<Pick<Grant, 'itemId' | 'subjectType' | 'subjectId' | 'level'>[]> =>
      grantsOf(knex, project, subjects)
        .whereIn('itemId', [...itemIds])
        .select('itemId', 'subjectType', 'subjectId', 'level'),

    findOfSubject: (
      trx: Trx,
      project: string,
      itemId: string,
      { subjectType, subjectId }: Subject
    ): Promise<Row | undefined> =>
      trx(grants.name)
        .where({ project, itemId, subjectType, subjectId })
        .first(...grants.columns),

    /** Of an agent that is gone. */
    removeOfAgent: (({ project, id }, trx, limit) =>
      trx(grants.name)
        .where({ project })
        .whereIn(
          'id',
          trx(grants.name).where({ project, subjectType: 'agent', subjectId: id }).limit(limit).select('id')
        )
        .delete()) satisfies RemoveSome
  }
}
