import type { Kernel, Paging, Trx } from 'agent-platform'
import { newId, paginate } from 'agent-platform'
import type { Attempt, Delivery } from '../schemas/deliveries.ts'
import { Delivery as DeliverySchema } from '../schemas/deliveries.ts'

export type DeliveryStore = ReturnType<typeof createDeliveryStore>

export interface DeliveryRow extends Delivery {
  readonly project: string
  readonly payload: string
  readonly tries: number
}
export type NewDelivery = Pick<
  DeliveryRow,
  'project' | 'id' | 'owner' | 'webhookId' | 'messageId' | 'type' | 'payload' | 'nextAt'
>
type Key = Pick<DeliveryRow, 'project' | 'id'>

const name = 'webhooks.delivery'
const shown = Object.keys(DeliverySchema.properties)
const columns = ['project', ...shown, 'payload', 'tries']

export function createDeliveryStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    find: (id: string): Promise<DeliveryRow | undefined> => knex(name).where({ id }).first(columns),

    list: (
      project: string,
      webhookId: string,
      page: Paging,
      only: Partial<Pick<Delivery, 'status' | 'type'>>
    ) =>
      paginate<Delivery>(
        knex(name)
          .where({ project, webhookId, ...only })
          .select(shown),
        page,
        'delivery'
      ),

    listAttempts: (project: string, deliveryId: string): Promise<Attempt[]> =>
      knex('webhooks.attempt')
        .where({ project, deliveryId })
        .orderBy('id', 'desc')
        .limit(50)
        .select('at', 'milliseconds', 'status', 'error', 'reply'),

    /** Those that were not there. */
    insertAll: (trx: Trx, rows: readonly NewDelivery[]): Promise<Pick<DeliveryRow, 'id' | 'project'>[]> =>
      trx(name)
        .insert([...rows])
        .onConflict(['project', 'webhookId', 'messageId'])
        .ignore()
        .returning(['id', 'project']),

    insertAttempt: async (
      trx: Trx,
      { project, owner, webhookId, id }: DeliveryRow,
      attempt: Attempt
    ): Promise<void> => {
      await trx('webhooks.attempt').insert({
        ...attempt,
        project,
        owner,
        webhookId,
        deliveryId: id,
        id: newId('attempt')
      })
    },

    async update(
      trx: Trx,
      { project, id }: Key,
      changes: Partial<Omit<DeliveryRow, 'project' | 'id'>>
    ): Promise<DeliveryRow | undefined> {
      const [row] = await trx(name)
        .where({ project, id })
        .update({ ...changes, updatedAt: trx.fn.now() })
        .returning(columns)
      return row
    },

    /** Ends what a webhook that is switched off would still have been sent. */
    updatePending: async (trx: Trx, project: string, webhookId: string, lastError: string): Promise<void> => {
      await trx(name)
        .where({ project, webhookId, status: 'pending' })
        .update({ status: 'failed', nextAt: null, lastError, updatedAt: trx.fn.now() })
    },

    /** Deliveries that ended so long ago, with their attempts; how many. */
    async removeOld(trx: Trx, days: number, limit: number): Promise<number> {
      const { rows } = await trx.raw(
        `delete from webhooks.delivery where (project, id) in (
           select project, id from webhooks.delivery
             where status <> 'pending' and "updatedAt" < now() - make_interval(days => ?) limit ?)
         returning project, id`,
        [days, limit]
      )
      for (const [project, those] of Map.groupBy(rows as Key[], (row) => row.project))
        await trx('webhooks.attempt')
          .where({ project })
          .whereIn(
            'deliveryId',
            those.map(({ id }) => id)
          )
          .delete()
      return rows.length
    }
  }
}
