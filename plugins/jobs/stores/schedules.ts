import type { Kernel, Trx } from 'agent-platform'
import type { Schedule } from '../contract.ts'

export type ScheduleStore = ReturnType<typeof createScheduleStore>

export interface Timing {
  /** Null: every so many minutes. */
  readonly cron: string | null
  readonly timezone: string
  readonly everyMinutes: number | null
}

export interface ScheduleRow extends Required<Base>, Timing {
  /** Whether its next beat is due, by the database's clock. */
  readonly isDue: boolean
  readonly nextAt: string
  /** The job of the last beat. */
  readonly job: string | null
}
type Base = Pick<Schedule, 'project' | 'owner' | 'id' | 'queue' | 'data'>
type Key = Pick<Schedule, 'project' | 'id'>

const columns = [
  'project',
  'id',
  'owner',
  'cron',
  'timezone',
  'everyMinutes',
  'queue',
  'data',
  'nextAt',
  'job'
] as const
const BATCH = 500

export function createScheduleStore({ knex }: Pick<Kernel, 'knex'>) {
  const schedules = (on: Kernel['knex'] | Trx = knex) => on('jobs.schedule')
  return {
    /** Replaces one of the same id. */
    async insert(trx: Trx, schedule: Required<Base> & Timing & { nextAt: Date }): Promise<void> {
      await schedules(trx).insert(schedule).onConflict(['project', 'id']).merge()
    },

    /** Locked until the transaction ends. */
    findLocked: (trx: Trx, { project, id }: Key): Promise<ScheduleRow | undefined> =>
      schedules(trx)
        .where({ project, id })
        .forUpdate()
        .first(...columns, trx.raw('"nextAt" <= now() as "isDue"')),

    async findNextAt({ project, id }: Key): Promise<Date | undefined> {
      const row = await schedules().where({ project, id }).first('nextAt')
      return row && new Date(row.nextAt)
    },

    async update(
      trx: Trx,
      { project, id }: Key,
      changes: { nextAt: Date; job: string | null }
    ): Promise<void> {
      await schedules(trx).where({ project, id }).update(changes)
    },

    async remove(trx: Trx, { project, id }: Key): Promise<void> {
      await schedules(trx).where({ project, id }).delete()
    },

    /** Those whose beat was due so many seconds ago, in batches. */
    async *listOverdue(seconds: number): AsyncGenerator<readonly Key[]> {
      for (let after = ''; ; ) {
        const rows: Key[] = await schedules()
          .where('id', '>', after)
          .andWhereRaw(`"nextAt" <= now() - ? * interval '1 s'`, [seconds])
          .orderBy('id')
          .limit(BATCH)
          .select('project', 'id')
        if (rows.length > 0) yield rows
        if (rows.length < BATCH) return
        after = (rows.at(-1) as Key).id
      }
    }
  }
}
