import type { Kernel, Trx } from 'agent-platform'
import type { Schedule } from '../contract.ts'

export type ScheduleStore = ReturnType<typeof createScheduleStore>

export interface Timing {
  /** With neither of the two: once. */
  readonly cron: string | null
  readonly timezone: string
  readonly everyMinutes: number | null
}

type Base = Pick<Schedule, 'project' | 'owner' | 'id' | 'queue' | 'data'>
type Key = Pick<Schedule, 'project' | 'id'>

export interface NewSchedule extends Required<Base>, Timing {
  readonly together: number | null
  readonly nextAt: Date
}

export interface DueSchedule extends Timing, Required<Pick<Base, 'id' | 'queue' | 'data'>> {
  readonly together: number | null
  /** When it was due. */
  readonly nextAt: Date
  /** The job of the last beat. */
  readonly job: string | null
  /** The clock of the database, which all instances share. */
  readonly now: Date
}

export interface Beaten extends Pick<DueSchedule, 'id' | 'job'> {
  /** Null: it is over. */
  readonly nextAt: Date | null
}

const due = ['id', 'cron', 'timezone', 'everyMinutes', 'queue', 'together', 'data', 'nextAt', 'job'] as const

// Project by project, so that the index by time within a project is enough.
const dueText = `with recursive p(project) as (
    (select project from jobs.schedule order by project limit 1)
    union all
    select (select s.project from jobs.schedule s where s.project > p.project order by s.project limit 1)
    from p where p.project is not null)
  select p.project from p where exists
    (select from jobs.schedule s where s.project = p.project and s."nextAt" <= now())`

export function createScheduleStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  const schedules = (on: Kernel['knex'] | Trx = knex) => on('jobs.schedule')
  return {
    async findNow(trx: Trx): Promise<Date> {
      const { rows } = await trx.raw('select clock_timestamp() as now')
      return new Date(rows[0].now)
    },

    /** Replaces one of the same id. */
    async insert(trx: Trx, schedule: NewSchedule): Promise<void> {
      await schedules(trx).insert(schedule).onConflict(['project', 'id']).merge()
    },

    async findNextAt({ project, id }: Key): Promise<Date | undefined> {
      const row = await schedules().where({ project, id }).first('nextAt')
      return row && new Date(row.nextAt)
    },

    /** Those that have schedules which are due. */
    async listDueProjects(): Promise<readonly string[]> {
      const rows = await hot.query<{ project: string }>('jobs.due-projects', dueText, [])
      return rows.map(({ project }) => project)
    },

    /** Locked until the transaction ends, without those that others hold. */
    async takeDue(trx: Trx, project: string, limit: number): Promise<DueSchedule[]> {
      const rows = await schedules(trx)
        .where({ project })
        .andWhereRaw('"nextAt" <= now()')
        .orderBy('nextAt')
        .limit(limit)
        .forUpdate()
        .skipLocked()
        .select(...due, trx.raw('clock_timestamp() as now'))
      return rows.map((row) => ({ ...row, nextAt: new Date(row.nextAt), now: new Date(row.now) }))
    },

    /** Those that are over go. */
    async updateBeaten(trx: Trx, project: string, changes: readonly Beaten[]): Promise<void> {
      const over = changes.filter(({ nextAt }) => nextAt === null).map(({ id }) => id)
      if (over.length > 0) await schedules(trx).where({ project }).whereIn('id', over).delete()
      const others = changes.filter(({ nextAt }) => nextAt !== null)
      if (others.length === 0) return
      await trx.raw(
        `update jobs.schedule s set "nextAt" = c."nextAt", job = c.job
         from jsonb_to_recordset(?::jsonb) as c(id text, "nextAt" timestamptz, job uuid)
         where s.project = ? and s.id = c.id`,
        [JSON.stringify(others), project]
      )
    },

    async remove(trx: Trx, { project, id }: Key): Promise<void> {
      await schedules(trx).where({ project, id }).delete()
    }
  }
}
