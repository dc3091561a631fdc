import type { Kernel, PageOf, Paging, Principal, Trx } from 'agent-platform'
import { paginate, reach } from 'agent-platform'
import type { Knex } from 'knex'
import type { Grant } from '../schemas/grants.ts'
import { grants } from '../schemas/grants.ts'
import type { StoredSpace } from '../schemas/spaces.ts'
import { spaces } from '../schemas/spaces.ts'
import type { Subject } from '../subjects.ts'

export type SpaceStore = ReturnType<typeof createSpaceStore>

export function createSpaceStore({ knex }: Pick<Kernel, 'knex'>) {
  const granted = (on: Knex | Trx, project: string, subjects: readonly Subject[]) =>
    on(grants.name)
      .where({ project })
      .whereIn(
        ['subjectType', 'subjectId'],
        subjects.map(({ subjectType, subjectId }) => [subjectType, subjectId])
      )

  /** Spaces that the principal owns or was granted, as one of these subjects. */
  const readable = (by: Principal, subjects: readonly Subject[]) =>
    knex(spaces.name)
      .where({ project: by.project })
      .where((any) => {
        reach(by, any, 'id').orWhereIn('id', granted(knex, by.project, subjects).select('spaceId'))
      })

  return {
    list(
      by: Principal,
      subjects: readonly Subject[],
      page: Paging,
      owner?: string
    ): Promise<PageOf<StoredSpace>> {
      const query = readable(by, subjects).select(...spaces.columns)
      if (owner !== undefined) query.where({ owner })
      return paginate<StoredSpace>(query, page, 'space')
    },

    /** All that the principal may read, the newest first, at most so many. */
    listReadable: (by: Principal, subjects: readonly Subject[], limit: number): Promise<StoredSpace[]> =>
      readable(by, subjects)
        .select(...spaces.columns)
        .orderBy('id', 'desc')
        .limit(limit),

    /** Those that one of these subjects was granted, oldest first, at most so many. */
    listGranted: (project: string, subjects: readonly Subject[], limit: number): Promise<StoredSpace[]> =>
      knex(spaces.name)
        .where({ project })
        .whereIn('id', granted(knex, project, subjects).select('spaceId'))
        .select(...spaces.columns)
        .orderBy('id')
        .limit(limit),

    /** What these subjects were granted in these spaces. */
    listGrants: (
      project: string,
      subjects: readonly Subject[],
      spaceIds: readonly string[]
    ): Promise<Pick<Grant, 'spaceId' | 'subjectType' | 'subjectId' | 'level'>[]> =>
      granted(knex, project, subjects)
        .whereIn('spaceId', [...spaceIds])
        .select('spaceId', 'subjectType', 'subjectId', 'level'),

    /** The space as it stays until the transaction ends, with nobody else who writes into it; undefined when it is gone. */
    lock: (trx: Trx, { project, id }: { project: string; id: string }): Promise<StoredSpace | undefined> =>
      trx(spaces.name)
        .where({ project, id })
        .forUpdate()
        .first(...spaces.columns)
  }
}
