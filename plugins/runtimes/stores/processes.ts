import type { Kernel, Owned, Trx } from 'agent-platform'
import type { RuntimeProcess } from '../schemas/runtimes.ts'

export type ProcessStore = ReturnType<typeof createProcessStore>

export interface ProcessRow extends Owned, RuntimeProcess {
  readonly agentId: string
  readonly runtimeId: string
  readonly instance: number
  /** That it got, one after the other. */
  readonly credentials: readonly string[]
  readonly credentialEndsAt: string | null
  readonly drainingAt: string | null
}
/** What a look at a process needs. */
export interface LookedAt extends ProcessRow {
  readonly openTurns: number
  readonly usedAt: string
  readonly minInstances: number
  readonly idleSeconds: number
}

const TABLE = 'runtimes.process'

/** Processes of runtimes: each runs on one instance, and ends with it. */
export function createProcessStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (id: string, on: Kernel['knex'] | Trx = knex): Promise<ProcessRow | undefined> =>
      on(TABLE).where({ id }).first(),
    lock: (trx: Trx, { project, id }: Pick<ProcessRow, 'project' | 'id'>): Promise<ProcessRow | undefined> =>
      trx(TABLE).where({ project, id }).forUpdate().first(),
    async insert(trx: Trx, row: Partial<ProcessRow>): Promise<ProcessRow> {
      const [made] = await trx(TABLE).insert(row).returning('*')
      return made
    },
    async update(
      on: Kernel['knex'] | Trx,
      { project, id }: Pick<ProcessRow, 'project' | 'id'>,
      changes: Partial<ProcessRow>
    ): Promise<ProcessRow> {
      const [row] = await on(TABLE).where({ project, id }).update(changes).returning('*')
      return row
    },
    /** Those that have not ended, as far as the record knows. */
    listLive: (
      on: Kernel['knex'] | Trx,
      { project, id }: { readonly project: string; readonly id: string }
    ): Promise<ProcessRow[]> =>
      on(TABLE).where({ project, runtimeId: id }).whereNot('state', 'ended').orderBy('id', 'desc'),
    listLatest: (project: string, agentId: string): Promise<ProcessRow[]> =>
      knex(TABLE).where({ project, agentId }).orderBy('id', 'desc').limit(5),
    /** Of instances. */
    listHeld: (instances: readonly number[]): Promise<ProcessRow[]> =>
      knex(TABLE)
        .whereIn('instance', [...instances])
        .whereNot('state', 'ended'),
    async listLookedAt(ids: readonly string[]): Promise<LookedAt[]> {
      const { rows } = await knex.raw(
        `select p.*, r."usedAt", r."minInstances", r."idleSeconds",
          (select count(*)::int from runtimes.turn t where t.project = p.project and t."runtimeId" = p."runtimeId"
            and t.status in ('queued', 'given') and (t."processId" = p.id or (t."processId" is null and p.state = 'ready'))) as "openTurns"
        from runtimes.process p join runtimes.runtime r on r.project = p.project and r.id = p."runtimeId"
        where p.id = any(?) and p.state <> 'ended'`,
        [[...ids]]
      )
      return rows
    },
    removeOld: (trx: Trx, { project, id }: { readonly project: string; readonly id: string }, kept: number) =>
      trx(TABLE)
        .where({ project, runtimeId: id, state: 'ended' })
        .whereNotIn(
          'id',
          trx(TABLE).where({ project, runtimeId: id }).orderBy('id', 'desc').limit(kept).select('id')
        )
        .delete()
  }
}
