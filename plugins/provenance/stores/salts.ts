import type { Kernel } from 'agent-platform'

export type SaltStore = ReturnType<typeof createSaltStore>

/** One secret a project, sealed. */
export function createSaltStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async find(project: string): Promise<string | undefined> {
      const row = await knex('provenance.salt').where({ project }).first('sealed')
      return row?.sealed
    },

    /** Of several at the same time the first one stays. */
    async insert(project: string, sealed: string): Promise<void> {
      await knex('provenance.salt').insert({ project, sealed }).onConflict('project').ignore()
    }
  }
}
