import type { Delegation, Kernel, Owned, Trx } from 'agent-platform'
import type { Status, Task } from '../schemas/tasks.ts'
import { tasks } from '../schemas/tasks.ts'
import { moved } from '../transitions.ts'

export type TaskStore = ReturnType<typeof createTaskStore>
export type TaskRow = Task & Owned & { readonly delegation: Delegation | null }

/** What happens to a task beside the edits of clients, which alone count in its version. */
export interface TaskState {
  readonly status: Status
  readonly nextRunAt?: string | null
  readonly lastRunAt?: string
  readonly scheduleError?: string | null
}

export function createTaskStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on('tasks.task')
  const taken = (trx: Trx, project: string, ids: readonly string[]) =>
    rows(trx)
      .where({ project })
      .whereIn('id', [...ids])
      .orderBy('id')
      .forUpdate()
      .select(...tasks.columns)
  return {
    /** Those that are there, as they stay until the transaction ends, always in the same order. */
    takeAll: (trx: Trx, project: string, ids: readonly string[]): Promise<TaskRow[]> =>
      taken(trx, project, ids),

    /** The same without those that another transaction holds. */
    takeFree: (trx: Trx, project: string, ids: readonly string[]): Promise<TaskRow[]> =>
      taken(trx, project, ids).skipLocked(),

    list: (project: string, ids: readonly string[], trx?: Trx): Promise<TaskRow[]> =>
      rows(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .select(...tasks.columns),

    /** How many of an owner have a next time, as far as that many. */
    async countScheduled(trx: Trx, { project, owner }: Owned, most: number): Promise<number> {
      const scheduled = rows(trx).where({ project, owner }).whereNotNull('nextRunAt').limit(most)
      const [row] = await trx.from(scheduled.select(trx.raw('1')).as('scheduled')).count('* as count')
      return Number(row?.count)
    },

    async update(trx: Trx, task: TaskRow, state: TaskState): Promise<TaskRow> {
      moved(task.status, state.status)
      const { project, id } = task
      const [row] = await rows(trx)
        .where({ project, id })
        .update(state)
        .returning([...tasks.columns])
      return row
    },

    /** The same of many of a project. */
    async updateAll(
      trx: Trx,
      project: string,
      changes: readonly { readonly task: TaskRow; readonly state: TaskState }[]
    ): Promise<void> {
      if (changes.length === 0) return
      const documents = changes.map(({ task, state }) => {
        const { id, nextRunAt, lastRunAt, scheduleError } = { ...task, ...state }
        return { id, nextRunAt, lastRunAt, scheduleError, status: moved(task.status, state.status) }
      })
      await trx.raw(
        `update tasks.task t set status = c.status, "nextRunAt" = c."nextRunAt", "lastRunAt" = c."lastRunAt",
           "scheduleError" = c."scheduleError"
         from jsonb_to_recordset(?::jsonb)
           as c(id text, status text, "nextRunAt" timestamptz, "lastRunAt" timestamptz, "scheduleError" text)
         where t.project = ? and t.id = c.id`,
        [JSON.stringify(documents), project]
      )
    },

    /** Of a session, those of which something is scheduled or under way. */
    listUnfinished: (trx: Trx, project: string, sessionId: string): Promise<string[]> =>
      rows(trx)
        .where({ project, sessionId })
        .whereIn('status', ['scheduled', 'queued', 'running', 'waiting'])
        .pluck('id'),

    listOfAgent: (trx: Trx, project: string, agentId: string, limit: number): Promise<string[]> =>
      rows(trx).where({ project, agentId }).orderBy('id').limit(limit).forUpdate().pluck('id'),

    async removeAll(trx: Trx, project: string, ids: readonly string[]): Promise<void> {
      await rows(trx)
        .where({ project })
        .whereIn('id', [...ids])
        .delete()
    }
  }
}
