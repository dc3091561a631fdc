import type { Kernel, PageOf, Principal, Searching, Subject, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import { grants } from '../schemas/grants.ts'
import type { StoredSpace } from '../schemas/spaces.ts'
import { spaces } from '../schemas/spaces.ts'
import type { SpaceAccess } from './access.ts'

export type SpaceStore = ReturnType<typeof createSpaceStore>

interface Deps extends Pick<Kernel, 'knex'> {
  spaceAccess: SpaceAccess
}

export function createSpaceStore({ knex, spaceAccess }: Deps) {
  const readable = (by: Principal) => spaceAccess.where(by, knex(spaces.name).select(...spaces.columns))

  return {
    /** Spaces that the principal owns or was granted. */
    list(by: Principal, page: Searching, owner?: string): Promise<PageOf<StoredSpace>> {
      const query = readable(by)
      if (owner !== undefined) query.where({ owner })
      return paginate<StoredSpace>(query, page, 'space', ['name', 'description'])
    },

    /** All that the principal may read, the newest first, at most so many. */
    listReadable: (by: Principal, limit: number): Promise<StoredSpace[]> =>
      readable(by).orderBy('id', 'desc').limit(limit),

    /** Those that one of these subjects was granted, oldest first, at most so many. */
    listGranted: (project: string, subjects: readonly Subject[], limit: number): Promise<StoredSpace[]> =>
      knex(spaces.name)
        .where({ project })
        .whereIn('id', grants.idsOf(knex, project, subjects))
        .select(...spaces.columns)
        .orderBy('id')
        .limit(limit),

    /** The space as it stays until the transaction ends, with nobody else who writes into it; undefined when it is gone. */
    lock: (trx: Trx, { project, id }: { project: string; id: string }): Promise<StoredSpace | undefined> =>
      trx(spaces.name)
        .where({ project, id })
        .forUpdate()
        .first(...spaces.columns)
  }
}
