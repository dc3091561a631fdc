import type { Kernel, Owned } from 'agent-platform'

export type RequestStore = ReturnType<typeof createRequestStore>

const TABLE = 'computers.request'

/** Runs that were given a computer, by their ids. */
export function createRequestStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async find(project: string, id: string): Promise<boolean> {
      return (await knex(TABLE).where({ project, id }).first('id')) !== undefined
    },
    async insert(row: Owned & { id: string; agentId: string }): Promise<void> {
      const { project, owner, id, agentId } = row
      await knex(TABLE).insert({ project, owner, id, agentId }).onConflict(['project', 'id']).ignore()
    }
  }
}
