import type { Owned, Trx } from 'agent-platform'

export interface JobOptions {
  /** Sent with this transaction, and not without it. */
  readonly trx?: Trx
  /** Not before then. */
  readonly at?: Date
  /** Not before so many seconds from now, by the clock of the database: that of this process may be wrong. */
  readonly inSeconds?: number
  /**
   * Of jobs with the same key in one queue only one waits at a time: another one takes its place, with its own data
   * and time. One that runs, or is to be tried again, does not count: what is sent meanwhile is not lost.
   */
  readonly key?: string
}

/**
 * Takes the jobs of one queue, on any instance; the queue's name, `<pack>.<queue>`, is its key at the point, and a
 * pack serves its own queues only. Found anew for each job, so a reload needs nothing.
 */
export interface Worker {
  /**
   * A job that fails is tried again with backoff. It may run twice: after a crash, or when its end could not be
   * written down. Data grows by additions only, for jobs outlive versions.
   *
   * The signal says that its time is over or that it was lost; or that the process drains or the version is being
   * replaced, and then a worker that throws gets the job again, here or elsewhere, without a try less.
   */
  work(data: object, signal: AbortSignal): Promise<void>
  /** Jobs at a time, on each instance; default 1. */
  readonly concurrency?: number
  /** Tries after the first one; default 5. */
  readonly retries?: number
  /** Five-field cron, UTC: a job without data at each of these times, once over all instances. While no worker takes
   *  them they are one job. */
  readonly cron?: string
  /** Seconds after which a try is taken for lost; default 300, at most a day. */
  readonly timeoutSeconds?: number
}

/** Something that is waited for without a thread or a connection. */
export interface Wait extends Owned {
  readonly id: string
  /** Names the contribution to `jobs.waiter` that is called when the deadline passes. */
  readonly waiter: string
  /** What waits: the id of a run, say. */
  readonly subject: string
  readonly deadline: Date
}

export interface Waiter {
  /**
   * The deadline has passed and nothing settled it: settles it (`waits.expire`), with whatever that means, in a
   * transaction of its own. Called again until it does not fail; by then the wait may have been settled. Whatever
   * it left open when it did not fail is settled for it.
   */
  expired(wait: Wait): Promise<void>
}

/** A job in a queue of a pack: at each of the times of `cron`, every so many minutes, or once. */
export type Schedule = Owned & {
  readonly id: string
  readonly queue: string
  /** Of each job, which has `dueAt` beside it, the time at which it was due: the same one when it runs twice. */
  readonly data?: object
  /**
   * Up to so many beats of such schedules of a project that are due together come as one job, for a worker that does
   * many at once for little more than one: its data is `{ beats: [{ …data, dueAt, nextAt, error, isRetry }] }`, also of
   * a single one; `nextAt` is when the next beat is due, null after the last one. `error` is the reason why the next time
   * could not be calculated, else null; then `nextAt` is when the calculation is retried. A beat with `isRetry` reports
   * only the outcome of such a calculation: nothing is due.
   */
  readonly together?: number
} & (
    | {
        /** As in crontab(5): five fields, or a nickname such as `@daily`. */
        readonly cron: string
        /** An IANA time zone; default UTC. */
        readonly timezone?: string
      }
    | {
        /** Counted from when it is set, so not the same for all. */
        readonly everyMinutes: number
      }
    | {
        /** Once; then the schedule is gone. What is past is due at once. */
        readonly at: Date
      }
  )

/** Where a request has what a schedule is made of, as JSON pointers. */
export interface CronParams {
  readonly cron: string
  readonly timezone: string
}

export interface Jobs {
  /** Adds a job to a queue; it waits there while no pack takes it, for years if need be. */
  send(queue: string, data: object, options?: JobOptions): Promise<void>
  /**
   * Schedules that users make; they survive restarts. A beat is one job in the queue. While the one before waits or
   * runs there is no other, so that beats of a pack that was off, or of a platform that was down, come as one.
   */
  readonly schedules: {
    /**
     * Sets a schedule or replaces the one of that id, in the caller's transaction; says when its first beat is due. 400 at
     * `cron` or `timezone`, by the JSON pointers that the request has for them; default `/cron` and `/timezone`.
     */
    set(trx: Trx, schedule: Schedule, params?: CronParams): Promise<Date>
    /** The 400 of `set` alone, for what is kept and not scheduled yet. */
    check(cron: string, timezone: string, params?: CronParams): void
    /** Ends it, in the caller's transaction, if there is one. A beat that waits may still come. */
    remove(trx: Trx, project: string, id: string): Promise<void>
    /** When its next beat is due, as the transaction sees it if one is given; undefined where there is no such schedule. */
    nextAt(project: string, id: string, trx?: Trx): Promise<Date | undefined>
    /** Why its next time could not be calculated, which is retried at `nextAt`; null where it could, or there is none. */
    errorOf(project: string, id: string): Promise<string | null>
  }
  /** Settled once, by an answer, by its deadline, or by being given up; on any instance. */
  readonly waits: {
    /** Opens a wait, in the caller's transaction. */
    open(trx: Trx, wait: Wait): Promise<void>
    /**
     * Settles it by an answer, in the caller's transaction: exactly one caller gets through. 409, code
     * `already_settled`, for a second one or after the deadline; 404 when it is unknown.
     */
    settle(trx: Trx, project: string, id: string): Promise<void>
    /** Settles it by its deadline, in the caller's transaction; false when it was settled or is not due. */
    expire(trx: Trx, project: string, id: string): Promise<boolean>
    /** Gives up all open ones of a subject, in the caller's transaction. */
    abandon(trx: Trx, project: string, subject: string): Promise<void>
  }
}

declare module 'agent-platform' {
  interface Services {
    jobs: Jobs
  }
  interface Points {
    'jobs.worker': Worker
    'jobs.waiter': Waiter
  }
}
