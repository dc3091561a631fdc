import type { Kernel, Owned, Recorded, Trx } from 'agent-platform'
import { afterCommit, lockName, newId } from 'agent-platform'
import type { Failure, RunStatus, TaskRun } from '../schemas/runs.ts'
import { taskRuns } from '../schemas/runs.ts'
import { moved } from '../transitions.ts'
import type { TaskRow } from './tasks.ts'

export type RunStore = ReturnType<typeof createRunStore>
export type RunRow = TaskRun &
  Owned & { readonly agentId: string | null; readonly isSequential: boolean; readonly beginsAt: string }

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

/** What the agent's run, or the workflow's execution, is called. */
export type Work = { readonly runId: string } | { readonly executionId: string }

const json = (value: unknown) =>
  value === undefined ? undefined : value === null ? null : JSON.stringify(value)

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
        input: run.input && JSON.stringify(run.input)
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

    /** The one whose run or execution that is, and its task, as they stay until the transaction ends; unless it has ended. */
    async takeOpenOf(
      trx: Trx,
      project: string,
      work: Work
    ): Promise<{ readonly task: TaskRow; readonly run: RunRow } | undefined> {
      const [column, id] = Object.entries(work)[0] as [string, string]
      const text = `select to_jsonb(t) as task, to_jsonb(r) as run
        from tasks.task t join tasks.run r on r.project = t.project and r."taskId" = t.id
        where r.project = $1 and r."${column}" = $2 and r."endedAt" is null for update of t, r`
      const parts = { open: { text, values: [project, id] } }
      const [found] = await hot.together<{ task: TaskRow; run: RunRow }>(
        `tasks.take-${column}`,
        parts,
        'select * from open',
        trx
      )
      return found
    },

    findNewest: (project: string, taskId: string): Promise<RunRow | undefined> =>
      rows()
        .where({ project, taskId })
        .orderBy('id', 'desc')
        .first(...taskRuns.columns),

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

    /** The first of a session that has not ended, where that is to begin. */
    async findNext(trx: Trx, project: string, sessionId: string): Promise<RunRow | undefined> {
      const first: RunRow | undefined = await open(trx)
        .where({ project, sessionId, isSequential: true })
        .orderBy('id')
        .first(...taskRuns.columns)
      return first?.status === 'queued' ? first : undefined
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

    async update(trx: Trx, run: RunRow, { output, error, ...state }: RunState): Promise<RunRow> {
      moved(run.status, state.status)
      const { project, id } = run
      const changes = { ...state, output: json(output), error: json(error) }
      const [row] = await rows(trx)
        .where({ project, id })
        .update(changes)
        .returning([...taskRuns.columns])
      return row
    },

    /** Those that were queued run from now on. */
    async updateRunning(
      trx: Trx,
      project: string,
      runs: readonly Pick<RunRow, 'id' | 'status' | 'sessionId' | 'executionId' | 'startedAt'>[]
    ): Promise<void> {
      if (runs.length === 0) return
      const documents = runs.map(({ id, sessionId, executionId, startedAt, status }) => {
        return { id, sessionId, executionId, startedAt, status: moved(status, 'running') }
      })
      await trx.raw(
        `update tasks.run r set status = c.status, "sessionId" = c."sessionId", "executionId" = c."executionId",
           "startedAt" = c."startedAt"
         from jsonb_to_recordset(?::jsonb) as c(id text, status text, "sessionId" text, "executionId" text, "startedAt" timestamptz)
         where r.project = ? and r.id = c.id`,
        [JSON.stringify(documents), project]
      )
    },

    /** What happened to them, in one statement. */
    async insertFacts(trx: Trx, recorded: readonly Recorded[]): Promise<void> {
      if (recorded.length === 0) return
      await hot.together('tasks.facts', { fact: facts.rows(recorded) }, 'select 1', trx)
      afterCommit(trx, () => facts.recorded(recorded))
    },

    /** Locked, so that nothing is told of them any more. */
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
