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
  /** When it was due, or when the calculation of its next time is due again. */
  readonly nextAt: Date
  /** Why its next time could not be calculated. */
  readonly error: string | null
  /** The job of the last beat. */
  readonly job: string | null
  /** The clock of the database, which all instances share. */
  readonly now: Date
}

export interface FarSchedule extends Key, Timing {
  readonly nextAt: Date
}

export interface Beaten extends Pick<DueSchedule, 'id' | 'job' | 'error'> {
  /** Null: it is over. */
  readonly nextAt: Date | null
}

const BATCH = 500
const due = [
  'id',
  'cron',
  'timezone',
  'everyMinutes',
  'queue',
  'together',
  'data',
  'nextAt',
  'job',
  'error'
] as const

// Project by project, so that the index by time within a project is enough.
const dueText = `select now() as now, array(
    with recursive p(project) as (
      (select project from jobs.schedule order by project limit 1)
      union all
      select (select s.project from jobs.schedule s where s.project > p.project order by s.project limit 1)
      from p where p.project is not null)
    select p.project from p where exists
      (select from jobs.schedule s where s.project = p.project and s."nextAt" <= now())) as projects`

export function createScheduleStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  const schedules = (on: Kernel['knex'] | Trx = knex) => on('jobs.schedule')
  return {
    async findNow(trx: Trx): Promise<Date> {
      const { rows } = await trx.raw('select clock_timestamp() as now')
      return new Date(rows[0].now)
    },

    /** Replaces one of the same id. */
    async insert(trx: Trx, schedule: NewSchedule): Promise<void> {
      await schedules(trx)
        .insert({ ...schedule, error: null })
        .onConflict(['project', 'id'])
        .merge()
    },

    async findNext({ project, id }: Key, trx?: Trx): Promise<{ at: Date; error: string | null } | undefined> {
      const row = await schedules(trx).where({ project, id }).first('nextAt', 'error')
      return row && { at: new Date(row.nextAt), error: row.error }
    },

    /** The clock of the database, and the projects that have schedules which are due. */
    async findDue(): Promise<{ now: Date; projects: readonly string[] }> {
      const [row] = await hot.query<{ now: Date; projects: readonly string[] }>('jobs.due', dueText, [])
      return { now: new Date(row?.now ?? 0), projects: row?.projects ?? [] }
    },

    /** Repeated ones that are not due for a day yet, in batches. */
    async *listFar(): AsyncGenerator<readonly FarSchedule[]> {
      for (let after: FarSchedule | undefined; ; ) {
        const rows: FarSchedule[] = await schedules()
          .whereRaw(
            `"nextAt" > now() + interval '1 day' and (cron is not null or "everyMinutes" is not null)`
          )
          .andWhereRaw('(project, id) > (?, ?)', [after?.project ?? '', after?.id ?? ''])
          .orderBy(['project', 'id'])
          .limit(BATCH)
          .select('project', 'id', 'cron', 'timezone', 'everyMinutes', 'nextAt')
        if (rows.length > 0) yield rows.map((row) => ({ ...row, nextAt: new Date(row.nextAt) }))
        if (rows.length < BATCH) return
        after = rows.at(-1)
      }
    },

    /** Unless it was set or came meanwhile. */
    async updateNextAt({ project, id, nextAt }: FarSchedule, to: Date): Promise<void> {
      await schedules()
        .where({ project, id })
        .andWhereRaw(`date_trunc('milliseconds', "nextAt") = ?`, [nextAt])
        .update({ nextAt: to, error: null })
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
        `update jobs.schedule s set "nextAt" = c."nextAt", job = c.job, error = c.error
         from jsonb_to_recordset(?::jsonb) as c(id text, "nextAt" timestamptz, job uuid, error text)
         where s.project = ? and s.id = c.id`,
        [JSON.stringify(others), project]
      )
    },

    async remove(trx: Trx, { project, id }: Key): Promise<void> {
      await schedules(trx).where({ project, id }).delete()
    }
  }
}
