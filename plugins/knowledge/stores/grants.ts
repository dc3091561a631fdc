import type { Kernel, PageOf, Paging, RemoveSome, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { Grant } from '../schemas/grants.ts'
import { grants } from '../schemas/grants.ts'
import type { Subject } from '../subjects.ts'

export type GrantStore = ReturnType<typeof createGrantStore>
type Row = Grant & { project: string }

export function createGrantStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    listOfSpace: (project: string, spaceId: string, page: Paging): Promise<PageOf<Row>> =>
      paginate<Row>(
        knex(grants.name)
          .where({ project, spaceId })
          .select(...grants.columns),
        page,
        'grant'
      ),

    findOfSubject: (
      trx: Trx,
      project: string,
      spaceId: string,
      { subjectType, subjectId }: Subject
    ): Promise<Row | undefined> =>
      trx(grants.name)
        .where({ project, spaceId, subjectType, subjectId })
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
