import type { Kernel, Owned, Trx } from 'agent-platform'

export type WebhookStore = ReturnType<typeof createWebhookStore>

export interface WebhookRow extends Owned {
  readonly id: string
  readonly workflowId: string
  /** SHA-256 of the token. */
  readonly hash: Buffer
  readonly prefix: string
  /** The secret that deliveries are signed with. */
  readonly sealed: string | null
  readonly mapping: unknown
  readonly createdAt: string
  readonly mintedAt: string
}

const TABLE = 'workflows.webhook'

export function createWebhookStore({ knex }: Pick<Kernel, 'knex'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on<WebhookRow>(TABLE)
  return {
    /** By the id that a token says. */
    find: (id: string) => rows().where({ id }).first(),

    findOf: (project: string, workflowId: string, trx?: Trx) =>
      rows(trx ?? knex)
        .where({ project, workflowId })
        .first(),

    /** With what is new of it, if the workflow has one already. */
    async replace(trx: Trx, row: Omit<WebhookRow, 'createdAt' | 'mintedAt'>): Promise<WebhookRow> {
      const { hash, prefix, sealed } = row
      const mapping = row.mapping === null ? null : JSON.stringify(row.mapping)
      const [made] = await rows(trx)
        .insert({ ...row, mapping } as never)
        .onConflict(['project', 'workflowId'])
        .merge({ hash, prefix, sealed, mapping, mintedAt: trx.fn.now() } as never)
        .returning('*')
      return made as WebhookRow
    },

    /** Whether there was one. */
    remove: async (trx: Trx, project: string, workflowId: string): Promise<boolean> =>
      (await rows(trx).where({ project, workflowId }).delete()) > 0
  }
}
