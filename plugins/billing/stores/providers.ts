import type { Kernel, Owned } from 'agent-platform'

export type ProviderStore = ReturnType<typeof createProviderStore>

/** By which names providers know customers. */
export function createProviderStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    async findCustomer(project: string, provider: string, owner: string): Promise<string | null> {
      const row = await knex('billing.provider_customer').where({ project, provider, owner }).first('id')
      return row ? nameOf(provider, row.id) : null
    },

    /** Whose that is; undefined for those that are none of this platform's. */
    findOwner: (provider: string, providerId: string): Promise<Owned | undefined> =>
      knex('billing.provider_customer')
        .where({ id: `${provider}:${providerId}` })
        .first('project', 'owner'),

    /** Replaces the ID so far: the provider may have deleted that customer. */
    async insertCustomer({ project, owner }: Owned, provider: string, providerId: string): Promise<void> {
      await knex('billing.provider_customer')
        .insert({ project, owner, provider, id: `${provider}:${providerId}` })
        .onConflict(['project', 'owner', 'provider'])
        .merge(['id'])
    }
  }
}

const nameOf = (provider: string, id: string) => id.slice(provider.length + 1)
