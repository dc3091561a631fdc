import type { Kernel, Trx } from 'agent-platform'

export type KeyStore = ReturnType<typeof createKeyStore>

/** Who made which key of a project. */
export function createKeyStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    insert: (trx: Trx, row: Readonly<Record<'project' | 'id' | 'owner', string>>): Promise<unknown> =>
      trx('identity.project_key').insert(row),
    listOf: (trx: Trx, project: string, person: string): Promise<string[]> =>
      trx('identity.project_key').where({ project, owner: person }).pluck('id'),
    /** By the ids of keys. */
    async listMakers(project: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await knex('identity.project_key')
        .where({ project })
        .whereIn('id', [...ids])
        .select('id', 'owner')
      return new Map(rows.map(({ id, owner }) => [id, owner]))
    }
  }
}
