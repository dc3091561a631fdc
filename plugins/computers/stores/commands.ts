import type { Kernel, NewRow, Paging, Principal, Trx } from 'agent-platform'
import type { Command, CommandRow } from '../schemas/commands.ts'
import { commands } from '../schemas/commands.ts'

export type CommandStore = ReturnType<typeof createCommandStore>

/** What is run in computers, what waits to be, and what came of it. */
export function createCommandStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (id: string) => commands.find(knex, id),
    list: (by: Principal, agentId: string, page: Paging & Partial<Pick<Command, 'status' | 'source'>>) =>
      commands.list(knex, by, page, {
        agentId,
        status: page.status as Command['status'],
        source: page.source as Command['source']
      }),
    insert: (trx: Trx | Kernel['knex'], row: NewRow<CommandRow>) => commands.insert(trx as Trx, row),
    lock: (trx: Trx, row: Pick<CommandRow, 'project' | 'id'>) => commands.lock(trx, row),
    update: async (trx: Trx, row: CommandRow, changes: Partial<CommandRow>): Promise<CommandRow> =>
      (await commands.update(trx, row, changes)).row,
    count: async (project: string, computerId: string): Promise<number> => {
      const open = knex(commands.name).where({ project, computerId, status: 'queued' })
      return Number((await open.count().first())?.count ?? 0)
    },

    /** The id of the one that waits longest; none while one of the queue runs before it. */
    async findNext(project: string, computerId: string): Promise<string | undefined> {
      const query = () => knex(commands.name).where({ project, computerId })
      if (await query().where({ source: 'queue', status: 'running' }).first('id')) return undefined
      return (await query().where('status', 'queued').orderBy('id').first('id'))?.id
    },

    /** The one that waits longest, as running on that instance; none while one of the queue runs already. */
    async takeNext(trx: Trx, project: string, computerId: string, instance: number) {
      const query = () => trx(commands.name).where({ project, computerId })
      await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`computers.queue/${computerId}`])
      if (await query().where({ source: 'queue', status: 'running' }).first('id')) return undefined
      const next: CommandRow | undefined = await query().where('status', 'queued').orderBy('id').first()
      if (!next) return undefined
      const changes = {
        status: 'running',
        instance,
        sealed: null,
        startedAt: new Date().toISOString()
      } as const
      return { sealed: next.sealed, row: (await commands.update(trx, next, changes)).row }
    },

    /** Running on instances that are dead, or in a computer, with the row's own instance. */
    listRunning: (
      where: { instances: readonly number[] } | { computerId: string }
    ): Promise<CommandRow[]> => {
      const running = knex(commands.name).where('status', 'running')
      return 'instances' in where
        ? running.whereIn('instance', [...where.instances])
        : running.where('computerId', where.computerId)
    }
  }
}
