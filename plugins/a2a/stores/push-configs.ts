import type { Kernel, Owned, Trx } from 'agent-platform'
import { lockName } from 'agent-platform'

export type PushConfigStore = ReturnType<typeof createPushConfigStore>

/** Where a client is told of a task. */
export interface PushConfigRow extends Owned {
  readonly id: string
  readonly agentId: string
  readonly taskId: string
  /** The client's. */
  readonly name: string
  readonly protocol: string
  readonly url: string
  /** Sealed. */
  readonly secret: string | null
}
type OfTask = Pick<PushConfigRow, 'project' | 'taskId'>

const columns = ['project', 'id', 'owner', 'agentId', 'taskId', 'name', 'protocol', 'url', 'secret'] as const

export function createPushConfigStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on<PushConfigRow>('a2a.push_config')
  return {
    find: (project: string, id: string) =>
      rows()
        .where({ project, id })
        .first(...columns),
    findNamed: ({ project, taskId }: OfTask, name: string) =>
      rows()
        .where({ project, taskId, name })
        .first(...columns),
    list: ({ project, taskId }: OfTask) =>
      rows()
        .where({ project, taskId })
        .orderBy('id')
        .select(...columns),
    listOfTasks: (trx: Trx, project: string, taskIds: readonly string[]) =>
      rows(trx)
        .where({ project })
        .whereIn('taskId', [...taskIds])
        .select('id', 'taskId'),

    /** False where the task has as many others as that. */
    async replace(trx: Trx, row: PushConfigRow, most: number): Promise<boolean> {
      const { project, taskId, name, protocol, url, secret } = row
      await lockName(trx, 'a2a.push_config', project, taskId)
      await rows(trx).where({ project, taskId, name }).delete()
      const [counted] = await rows(trx).where({ project, taskId }).count({ count: '*' })
      if (Number(counted?.count) >= most) return false
      await rows(trx).insert({ ...row, protocol, url, secret })
      return true
    },

    /** Without a name: all of the task. */
    remove: ({ project, taskId }: OfTask, name?: string) =>
      rows()
        .where({ project, taskId, ...(name !== undefined && { name }) })
        .delete()
  }
}
