import type { Kernel, Owned, OwnerRow, Trx } from 'agent-platform'
import type { Executable } from './starts.ts'

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
  /** Template of an event for an execution that waits. */
  readonly event: unknown
  readonly createdAt: string
  readonly mintedAt: string
}

/** With all that a delivery needs. */
export interface Addressed {
  readonly webhook: WebhookRow
  readonly workflow: Executable
}

const TABLE = 'workflows.webhook'
const columns = [
  'project',
  'owner',
  'id',
  'workflowId',
  'hash',
  'prefix',
  'sealed',
  'mapping',
  'event',
  'createdAt',
  'mintedAt'
]
const addressedText = `select ${columns.map((name) => `h."${name}"`).join(', ')}, w.version from workflows.webhook h
  join workflows.workflow w on w.project = h.project and w.id = h."workflowId" where h.id = $1`

export function createWebhookStore({ knex, hot, principals }: Pick<Kernel, 'knex' | 'hot' | 'principals'>) {
  const rows = (on: Kernel['knex'] | Trx = knex) => on<WebhookRow>(TABLE)
  return {
    /** By the id that a token says. */
    async find(id: string): Promise<Addressed | undefined> {
      const [row] = await hot.together<WebhookRow & { version: number; by: OwnerRow }>(
        'workflows.addressed',
        {
          webhook: { text: addressedText, values: [id] },
          owner: principals.fragment('webhook')
        },
        'select h.*, to_json(o) as by from webhook h cross join owner o'
      )
      if (!row) return undefined
      const { version, by, ...webhook } = row
      const { project, owner, workflowId } = webhook
      return {
        webhook,
        workflow: { project, owner, id: workflowId, version, principal: principals.from(by) }
      }
    },

    findOf: (project: string, workflowId: string, trx?: Trx) =>
      rows(trx ?? knex)
        .where({ project, workflowId })
        .first(),

    /** With what is new of it, if the workflow has one already. */
    async replace(trx: Trx, row: Omit<WebhookRow, 'createdAt' | 'mintedAt'>): Promise<WebhookRow> {
      const { id, hash, prefix, sealed } = row
      const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
      const [mapping, event] = [json(row.mapping), json(row.event)]
      const [made] = await rows(trx)
        .insert({ ...row, mapping, event } as never)
        .onConflict(['project', 'workflowId'])
        .merge({ id, hash, prefix, sealed, mapping, event, mintedAt: trx.fn.now() } as never)
        .returning('*')
      return made as WebhookRow
    },

    /** Whether there was one. */
    remove: async (trx: Trx, project: string, workflowId: string): Promise<boolean> =>
      (await rows(trx).where({ project, workflowId }).delete()) > 0
  }
}
