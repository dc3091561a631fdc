import type { Kernel, NewRow, Paging, Principal, Trx } from 'agent-platform'
import { codeProjects } from '../projects/schemas.ts'
import type { BuildRow, ListedBuild } from './schemas.ts'
import { builds } from './schemas.ts'

export type BuildStore = ReturnType<typeof createBuildStore>

/** Of a log, in characters. */
const LOG = 262_144
/** Builds of an owner that run at a time, on all instances. */
const OF_OWNER = 4
/** That are begun, by processes that die or are replaced, before it is given up. */
const ATTEMPTS = 5

type Key = Pick<BuildRow, 'project' | 'id'>
type OfProject = Pick<BuildRow, 'project' | 'projectId'>

/** Builds, and what they wrote. */
export function createBuildStore({ knex, instances }: Pick<Kernel, 'knex' | 'instances'>) {
  const of = (where: object, on: Kernel['knex'] | Trx = knex) => on(builds.name).where(where)

  return {
    find: (id: string) => builds.find(knex, id),
    list: (
      by: Principal,
      { agentId, projectId }: Pick<BuildRow, 'agentId' | 'projectId'>,
      page: Paging & Partial<Pick<ListedBuild, 'kind' | 'status'>>
    ) =>
      builds.list(knex, by, page, {
        agentId,
        projectId,
        ...(page.kind && { kind: page.kind }),
        ...(page.status && { status: page.status })
      }),
    insert: (trx: Trx, row: NewRow<BuildRow>) => builds.insert(trx, row),
    lock: (trx: Trx, key: Key) => builds.lock(trx, key),
    update: async (trx: Trx, row: BuildRow, changes: Partial<BuildRow>): Promise<BuildRow> =>
      (await builds.update(trx, row, changes)).row,

    async countOpen(trx: Trx, { project, projectId }: OfProject): Promise<number> {
      return Number((await of({ project, projectId }, trx).whereNull('endedAt').count().first())?.count ?? 0)
    },
    async removeOld(trx: Trx, { project, projectId }: OfProject, kept: number): Promise<void> {
      const old = of({ project, projectId }, trx)
        .whereNotNull('endedAt')
        .orderBy('id', 'desc')
        .offset(kept)
        .limit(1_000)
      await of({ project }, trx).whereIn('id', old.select('id')).delete()
    },

    /** More of its log; true when it is to be cancelled. */
    async updateLog({ project, id }: Key, text: string): Promise<boolean> {
      const [row] = await of({ project, id })
        .update({ log: knex.raw(`left(log || ?, ${LOG})`, [text.replaceAll('\0', '')]) })
        .returning('cancelledAt')
      return row?.cancelledAt != null
    },
    findLog: async ({ project, id }: Key): Promise<string> =>
      (await of({ project, id }).first('log'))?.log ?? '',
    removeLog: async ({ project, id }: Key) => of({ project, id }).update({ log: '' }),

    /**
     * The build of a project that is next, as this instance’s from now on; `later` while its owner has as many as may run;
     * undefined while one runs, or where none waits. `held`: those that this process runs.
     */
    async takeNext(
      trx: Trx,
      { project, projectId }: OfProject,
      held: ReadonlyMap<string, unknown>
    ): Promise<{ row: BuildRow; isExhausted: boolean } | 'later' | undefined> {
      const self = instances.id()
      if (self === undefined) return 'later'
      const dead = await instances.dead()
      const isThere = await trx(codeProjects.name)
        .where({ project, id: projectId })
        .forUpdate()
        .first('owner')
      if (!isThere) return undefined
      const next: BuildRow | undefined = await of({ project, projectId }, trx)
        .whereNull('endedAt')
        .orderBy('id')
        .first(...builds.columns)
      if (!next) return undefined
      const isLost =
        next.instance === null ||
        dead.includes(next.instance) ||
        (next.instance === self && !held.has(next.id))
      if (next.status === 'running' && !isLost) return undefined
      const busy = await of({ project, owner: next.owner, status: 'running' }, trx)
        .whereNull('endedAt')
        .whereNot({ id: next.id })
        .whereNotIn('instance', [...dead])
        .count()
        .first()
      if (Number(busy?.count ?? 0) >= OF_OWNER) return 'later'
      const row = (
        await builds.update(trx, next, {
          status: 'running',
          instance: self,
          attempt: next.attempt + 1,
          startedAt: new Date().toISOString()
        })
      ).row
      return { row, isExhausted: row.attempt > ATTEMPTS }
    }
  }
}
