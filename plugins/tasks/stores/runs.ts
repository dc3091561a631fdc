import type { Kernel, Owned, Recorded, Trx } from 'agent-platform'
import { afterCommit, lockName, newId } from 'agent-platform'
import type { Failure, Hidden, RunStatus, TaskRun } from '../schemas/runs.ts'
import { taskRuns } from '../schemas/runs.ts'
import { moved } from '../transitions.ts'
import type { TaskRow } from './tasks.ts'

export type RunStore = ReturnType<typeof createRunStore>
export type RunRow = TaskRun & Owned & Hidden

export type NewRun = Pick<
  RunRow,
  | 'project'
  | 'owner'
  | 'taskId'
  | 'agentId'
  | 'sessionId'
  | 'isSequential'
  | 'trigger'
  | 'runId'
  | 'input'
  | 'scheduledFor'
  | 'delegation'
>

export interface RunState {
  readonly status: RunStatus
  readonly attempt?: number
  readonly runId?: string | null
  readonly executionId?: string | null
  readonly sessionId?: string | null
  readonly output?: unknown
  readonly error?: Failure | null
  readonly beginsAt?: string
  readonly startedAt?: string | null
  readonly endedAt?: string
}

/** By which a run of the agent, or an execution of the workflow, is known. */
export type Work = 'runId' | 'executionId'

/** A task that the transaction holds, and its run that has not ended. */
export interface Held {
  readonly task: TaskRow
  readonly run: RunRow
}

const takeText = (work: Work) => `select to_jsonb(t) as task, to_jsonb(r) as run
  from tasks.task t join tasks.run r on r.project = t.project and r."taskId" = t.id
  where r.project = $1 and r."${work}" = any($2::text[]) and r."endedAt" is null order by t.id for update of t, r`

/** Null: it has not run. */
interface Newest {
  readonly runId: string | null
  readonly isDue: boolean
}
const newestText = `select t.id, t."nextRunAt" is not null as "isDue", (
    select r.id from tasks.run r where r.project = t.project and r."taskId" = t.id order by r.id desc limit 1) as "runId"
  from tasks.task t where t.project = $1 and t.id = any($2::text[])`

const states = {
  status: 'text',
  attempt: 'int',
  runId: 'text',
  executionId: 'text',
  sessionId: 'text',
  output: 'jsonb',
  error: 'jsonb',
  beginsAt: 'timestamptz',
  startedAt: 'timestamptz',
  endedAt: 'timestamptz'
}
const updateText = `update tasks.run r set ${Object.keys(states).map((name) => `"${name}" = c."${name}"`)}
  from jsonb_to_recordset(?::jsonb) as c(id text, ${Object.entries(states).map(([name, type]) => `"${name}" ${type}`)})
  where r.project = ? and r.id = c.id`

export function createRunStore({ knex, hot, facts }: Pick<Kernel, 'knex' | 'hot' | 'facts'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on('tasks.run')
  const open = (on?: Kernel['knex'] | Trx) => rows(on).whereNull('endedAt')
  return {
    /** In their order; those that were made before for the same time are left out. */
    async insertAll(trx: Trx, runs: readonly NewRun[]): Promise<RunRow[]> {
      if (runs.length === 0) return []
      const made = runs.map((run) => ({
        ...run,
        id: newId('taskrun'),
        status: 'queued',
        input: run.input && JSON.stringify(run.input),
        delegation: run.delegation && JSON.stringify(run.delegation)
      }))
      return rows(trx)
        .insert(made)
        .onConflict()
        .ignore()
        .returning([...taskRuns.columns])
    },

    find: (on: Trx | undefined, project: string, id: string): Promise<RunRow | undefined> =>
      rows(on)
        .where({ project, id })
        .first(...taskRuns.columns),

    /**
     * Those whose runs or executions these are, unless they have ended, with their tasks: as they stay until the transaction
     * ends, always taken in the same order.
     */
    async takeOpenOf(trx: Trx, project: string, work: Work, ids: readonly string[]): Promise<Held[]> {
      const parts = { open: { text: takeText(work), values: [project, ids] } }
      return [...(await hot.together<Held>(`tasks.take-${work}`, parts, 'select * from open', trx))]
    },

    /** The newest run of each of these tasks, and whether there is to be one; nothing of those that are gone. */
    async listNewestOf(project: string, taskIds: readonly string[]): Promise<ReadonlyMap<string, Newest>> {
      const rows = await hot.query<Newest & { id: string }>('tasks.newest', newestText, [project, taskIds])
      return new Map(rows.map(({ id, ...newest }) => [id, newest]))
    },

    listOpenOf: (trx: Trx, project: string, taskIds: readonly string[]): Promise<RunRow[]> =>
      open(trx)
        .where({ project })
        .whereIn('taskId', [...taskIds])
        .select(...taskRuns.columns),

    list: (trx: Trx, project: string, ids: readonly string[]): Promise<RunRow[]> =>
      rows(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .select(...taskRuns.columns),

    /** Of these, the ones that wait for their beginning. */
    listQueued: (project: string, ids: readonly string[]): Promise<RunRow[]> =>
      open()
        .where({ project, status: 'queued' })
        .whereIn('id', [...ids])
        .orderBy('id')
        .select(...taskRuns.columns),

    /** Of these, the ones that stand behind another one of their session. */
    async listBlocked(project: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
      const blocked = await knex('tasks.run as r')
        .where('r.project', project)
        .whereIn('r.id', [...ids])
        .where('r.isSequential', true)
        .whereExists(
          knex('tasks.run as o')
            .whereRaw('o.project = r.project and o."sessionId" = r."sessionId" and o.id < r.id')
            .where('o.isSequential', true)
            .whereNull('o.endedAt')
        )
        .pluck('r.id')
      return new Set(blocked)
    },

    /** The first of each of these sessions that has not ended, where that is to begin. */
    async listNext(trx: Trx, project: string, sessionIds: readonly string[]): Promise<string[]> {
      const first: Pick<RunRow, 'id' | 'status'>[] = await open(trx)
        .where({ project, isSequential: true })
        .whereIn('sessionId', [...sessionIds])
        .distinctOn('sessionId')
        .orderBy(['sessionId', 'id'])
        .select('id', 'status', 'sessionId')
      return first.filter(({ status }) => status === 'queued').map(({ id }) => id)
    },

    /** Those that should have begun so many seconds ago. */
    listOverdue: (seconds: number, limit: number): Promise<RunRow[]> =>
      open()
        .where({ status: 'queued' })
        .whereRaw(`"beginsAt" < now() - ? * interval '1 s'`, [seconds])
        .limit(limit)
        .select(...taskRuns.columns),

    /** Makes way for one transaction after another that begins or ends runs of a session. */
    async takeSessions(trx: Trx, project: string, sessionIds: readonly string[]): Promise<void> {
      for (const id of [...new Set(sessionIds)].sort()) await lockName(trx, 'tasks.run', project, id)
    },

    /** What becomes of each of them; as they are then. */
    async updateAll(
      trx: Trx,
      project: string,
      changes: readonly { readonly run: RunRow; readonly state: RunState }[]
    ): Promise<RunRow[]> {
      if (changes.length === 0) return []
      const after = changes.map(({ run, state }): RunRow => {
        return { ...run, ...state, status: moved(run.status, state.status) }
      })
      await trx.raw(updateText, [JSON.stringify(after.map(({ input: _, ...changed }) => changed)), project])
      return after
    },

    /** What happened to them, in one statement. */
    async insertFacts(trx: Trx, recorded: readonly Recorded[]): Promise<void> {
      if (recorded.length === 0) return
      await hot.together('tasks.facts', { fact: facts.rows(recorded) }, 'select 1', trx)
      afterCommit(trx, () => facts.recorded(recorded))
    },

    /** Locked, so that nothing is recorded of them any more. */
    listOfTasks: (trx: Trx, project: string, taskIds: readonly string[], limit: number): Promise<RunRow[]> =>
      rows(trx)
        .where({ project })
        .whereIn('taskId', [...taskIds])
        .limit(limit)
        .forUpdate()
        .select(...taskRuns.columns),

    async removeAll(trx: Trx, project: string, ids: readonly string[]): Promise<void> {
      await rows(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .delete()
    }
  }
}
