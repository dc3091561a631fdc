import type { Kernel, PageOf, Principal, Trx } from 'agent-platform'
import { paginate, subjectOf } from 'agent-platform'
import { members } from '../schemas/members.ts'
import type { SpaceQuery, StoredSpace } from '../schemas/spaces.ts'
import { spaces } from '../schemas/spaces.ts'
import type { Entered } from './access.ts'
import { roleOf } from './access.ts'

export type SpaceStore = ReturnType<typeof createSpaceStore>

type Listed = Pick<Entered, 'space' | 'role'>

export function createSpaceStore({ knex }: Pick<Kernel, 'knex'>) {
  const isWhole = (by: Principal) => by.type === 'service' && by.initiator === undefined
  const ofSubject = (by: Principal) => knex(members.name).where({ project: by.project, ...subjectOf(by) })

  async function page(by: Principal, which: 'own' | 'public', query: SpaceQuery): Promise<PageOf<Listed>> {
    const found = knex(spaces.name).where({ project: by.project })
    if (which === 'public') found.where({ visibility: 'public' })
    else if (!isWhole(by)) found.whereIn('id', ofSubject(by).select('spaceId'))
    const columns = found.select(...spaces.columns)
    const { data, nextCursor } = await paginate<StoredSpace>(columns, query, 'space', ['name', 'description'])
    const ids = data.map(({ id }) => id)
    const own = await ofSubject(by).whereIn('spaceId', ids).select('spaceId', 'role')
    const roles = new Map(own.map(({ spaceId, role }) => [spaceId, role]))
    return {
      data: data.map((space) => ({ space, role: roleOf(by, roles.get(space.id) ?? null) })),
      nextCursor
    }
  }

  return {
    list: (by: Principal, query: SpaceQuery) => page(by, 'own', query),
    listPublic: (by: Principal, query: SpaceQuery) => page(by, 'public', query),

    /** Those of these that are there, and stay until the transaction ends. */
    lockAll: async (trx: Trx, project: string, ids: readonly string[]): Promise<ReadonlySet<string>> =>
      new Set(
        await trx(spaces.name)
          .where({ project })
          .whereIn('id', [...ids])
          .orderBy('id')
          .forKeyShare()
          .pluck('id')
      )
  }
}
