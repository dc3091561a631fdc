import type { Kernel, Trx } from 'agent-platform'

export type JobStore = ReturnType<typeof createJobStore>

/** A try of a job: its number tells it from the one before. */
export interface Attempt {
  readonly id: string
  readonly retryCount: number
}
/** A queue with a job that is due; or, with an attempt, a job of which nothing was heard any more. */
export type Pressing = { readonly queue: string } & (Attempt | { readonly id: null })

/** pg-boss marks running jobs that belong to a group in an index of their own: all of ours belong to this one. */
export const GROUP = 'all'

/** What is asked of pg-boss's own tables beside pg-boss. */
export function createJobStore({ knex, hot }: Pick<Kernel, 'knex' | 'hot'>) {
  return {
    /** Which of the queues have a job that is due, and which jobs of `served` were lost. */
    listPressing: (
      queues: readonly string[],
      served: readonly string[],
      lostAfterSeconds: number
    ): Promise<readonly Pressing[]> =>
      hot.query(
        'jobs.pressing',
        `select queue, null::uuid as id, null::integer as "retryCount" from unnest($1::text[]) queue
         where exists (select from pgboss.job_common
           where name = queue and state < 'active' and not blocked and start_after <= now())
         union all
         select name, id, retry_count from pgboss.job_common
         where state = 'active' and group_id is not null and name = any($2::text[])
           and heartbeat_on < now() - $3 * interval '1 s'`,
        [queues, served, lostAfterSeconds]
      ),

    /** Of these jobs, those that wait, run, or are to be tried again. */
    async listOpen(
      trx: Trx,
      jobs: readonly { readonly queue: string; readonly job: string | null }[]
    ): Promise<ReadonlySet<string>> {
      const places = jobs.flatMap(({ queue, job }) => (job === null ? [] : [{ queue, job }]))
      if (places.length === 0) return new Set()
      const { rows } = await trx.raw(
        `select j.id from pgboss.job_common j join unnest(?::text[], ?::uuid[]) as o(queue, id)
           on j.name = o.queue and j.id = o.id where j.state <= 'active'`,
        [places.map(({ queue }) => queue), places.map(({ job }) => job)]
      )
      return new Set(rows.map(({ id }: { id: string }) => id))
    },

    /** Whether pg-boss's own clock says that it was more than a day later before. */
    async findAhead(): Promise<boolean> {
      const text = `select 1 from pgboss.version where cron_on > now() + interval '1 day'`
      return (await hot.query('jobs.ahead', text, [])).length > 0
    },

    /** What was noted while the clock was ahead, and would hold back jobs and pg-boss itself until then, is as of now. */
    async updateAhead(): Promise<void> {
      await knex.raw(
        `with waiting as (
           update pgboss.job_common set start_after = now()
           where state = 'retry' and start_after > now() + interval '1 day'
         ), running as (
           update pgboss.job_common set heartbeat_on = now()
           where state = 'active' and heartbeat_on > now() + interval '1 day'
         ), queues as (
           update pgboss.queue set monitor_claim_on = least(monitor_claim_on, now()),
             monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now())
           where greatest(monitor_claim_on, monitor_on, maintain_on) > now()
         )
         update pgboss.version set cron_on = least(cron_on, now()), bam_on = least(bam_on, now()),
           flow_on = least(flow_on, now()), reindex_on = least(reindex_on, now()),
           monitor_backoff_on = least(monitor_backoff_on, now())`
      )
    },

    async insertQueue(queue: string, options: object): Promise<void> {
      const values = [queue, JSON.stringify(options)]
      await hot.query('jobs.create-queue', 'select pgboss.create_queue($1, $2::jsonb)', values)
    },

    /**
     * A job that this process took and did not finish waits again, due now, and the try does not count. The
     * number of the try goes up all the same, so that what may still run here cannot finish the next one.
     */
    async updateToWait(queue: string, { id, retryCount }: Attempt): Promise<void> {
      await knex.raw(
        `update pgboss.job_common
         set state = 'retry', retry_limit = retry_limit + 1, start_after = now(), heartbeat_on = null
         where name = ? and id = ? and state = 'active' and retry_count = ?`,
        [queue, id, retryCount]
      )
    }
  }
}
