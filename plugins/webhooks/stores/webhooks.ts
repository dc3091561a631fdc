import type { Kernel, Owned, Trx } from 'agent-platform'
import { lockName } from 'agent-platform'
import type { Secrets } from '../schemas/webhooks.ts'
import { webhooks } from '../schemas/webhooks.ts'

export type WebhookStore = ReturnType<typeof createWebhookStore>
export type WebhookRow = NonNullable<Awaited<ReturnType<typeof webhooks.find>>>
type Key = Pick<Owned, 'project'> & { readonly id: string }

export function createWebhookStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** Those that may be told of what these owners did. */
    listActive: (trx: Trx, project: string, owners: readonly string[]): Promise<WebhookRow[]> =>
      trx(webhooks.name)
        .where({ project, active: true })
        .where((query) => query.whereIn('owner', [...owners]).orWhere({ scope: 'project' }))
        .select(...webhooks.columns),

    async countOwn(trx: Trx, { project, owner }: Owned): Promise<number> {
      await lockName(trx, webhooks.name, project, owner)
      const [found] = await trx(webhooks.name).where({ project, owner }).count('id as count')
      return Number((found as { count: string }).count)
    },

    findSecrets: ({ project, id }: Key): Promise<Secrets | undefined> =>
      knex(webhooks.name).where({ project, id }).first('secret', 'previousSecret'),

    updateSecrets: async (
      trx: Trx,
      { project, id }: Key,
      secrets: Secrets & { previousSecretUntil: string | null }
    ): Promise<void> => {
      await trx(webhooks.name).where({ project, id }).update(secrets)
    },

    /** How it fares, which is no edit. */
    updateState: async (
      trx: Trx,
      { project, id }: Key,
      state: Partial<Pick<WebhookRow, 'active' | 'failingSince' | 'disabledAt'>>
    ): Promise<void> => {
      await trx(webhooks.name).where({ project, id }).update(state)
    }
  }
}
