import type { Kernel, Owned, Trx } from 'agent-platform'
import type { ServerModel } from '../server-schemas.ts'

export type ConfigurationStore = ReturnType<typeof createConfigurationStore>

/** What a project set up for one provider; neither a key nor an address is the same as nothing set up. */
export interface Configuration extends Owned {
  readonly id: string
  readonly provider: string
  /** Sealed. */
  readonly apiKey: string | null
  readonly baseUrl: string | null
  /** Sealed; of servers that the project names. */
  readonly headers: string | null
  /** What the project says of models of such a server. */
  readonly models: readonly ServerModel[] | null
  readonly version: number
  readonly updatedAt: string
}

const columns = [
  'id',
  'project',
  'owner',
  'provider',
  'apiKey',
  'baseUrl',
  'headers',
  'models',
  'version',
  'updatedAt'
] as const

export function createConfigurationStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    list: (project: string): Promise<Configuration[]> =>
      knex('models.configuration')
        .where({ project })
        .select(...columns),

    /** Leaves one that is there already as it is. */
    async insert(trx: Trx, row: Owned & Pick<Configuration, 'id' | 'provider'>): Promise<void> {
      await trx('models.configuration').insert(row).onConflict(['project', 'provider']).ignore()
    },

    /** Locked until the transaction ends. */
    take: (trx: Trx, project: string, provider: string): Promise<Configuration | undefined> =>
      trx('models.configuration')
        .where({ project, provider })
        .forUpdate()
        .first(...columns),

    async update(
      trx: Trx,
      { project, id }: Pick<Configuration, 'project' | 'id'>,
      { models, ...changes }: Partial<Pick<Configuration, 'apiKey' | 'baseUrl' | 'headers' | 'models'>>
    ): Promise<Configuration> {
      const version = trx.raw('version + 1')
      const [row] = await trx('models.configuration')
        .where({ project, id })
        .update({
          ...changes,
          ...(models && { models: JSON.stringify(models) }),
          version,
          updatedAt: trx.fn.now()
        })
        .returning(columns)
      return row
    },

    async remove(trx: Trx, { project, id }: Pick<Configuration, 'project' | 'id'>): Promise<void> {
      await trx('models.configuration').where({ project, id }).delete()
    }
  }
}
