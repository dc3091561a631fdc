import type { Kernel, Owned, Trx } from 'agent-platform'

export type ChannelStore = ReturnType<typeof createChannelStore>

export interface ChannelRow extends Owned {
  readonly id: string
  readonly agentId: string
  readonly kind: string
  readonly state: 'connected' | 'disconnected'
  readonly account: string | null
  readonly reason: string | null
  readonly config: Record<string, unknown>
  readonly sealed: string | null
  readonly access: 'paired' | 'open'
  readonly pairHash: Buffer | null
  readonly pairEndsAt: string | null
  readonly connectedAt: string | null
  /** Up to where what lies at the service was fetched; null: it delivers. */
  readonly cursor: string | null
  readonly fetchedAt: string | null
}
export interface ConversationRow extends Owned {
  readonly id: string
  readonly agentId: string
  readonly channelId: string
  /** As the service calls it. */
  readonly external: string
  readonly paired: boolean
  readonly sessionId: string | null
}
export interface MessageRow extends Owned {
  readonly id: string
  readonly agentId: string
  readonly channelId: string
  readonly conversationId: string
  /** Null for one that did not come from the service. */
  readonly external: string | null
  readonly sender: string | null
  readonly text: string
  readonly status: 'received' | 'running' | 'sending' | 'done' | 'failed'
  readonly runId: string | null
  readonly tries: number
  readonly reason: string | null
}
type Key = { readonly project: string; readonly id: string }

const open = ['received', 'running', 'sending'] as const

/** Channels, conversations in them, and what was said there until it is answered. */
export function createChannelStore({ knex }: Pick<Kernel, 'knex'>) {
  type On = Kernel['knex'] | Trx
  return {
    find: (id: string): Promise<ChannelRow | undefined> => knex('channels.channel').where({ id }).first(),
    findOf: (
      project: string,
      agentId: string,
      kind: string,
      on: On = knex
    ): Promise<ChannelRow | undefined> => on('channels.channel').where({ project, agentId, kind }).first(),
    async replace(trx: Trx, { config, ...row }: Partial<ChannelRow> & Key): Promise<ChannelRow> {
      const [saved] = await trx('channels.channel')
        .insert({ ...row, config: JSON.stringify(config) })
        .onConflict(['project', 'id'])
        .merge()
        .returning('*')
      return saved
    },
    update: (on: On, { project, id }: Key, changes: Partial<Omit<ChannelRow, 'config'>>): Promise<number> =>
      on('channels.channel').where({ project, id }).update(changes),
    /** Unless it was connected anew meanwhile. */
    updateCursor: ({ project, id, cursor: before }: ChannelRow, cursor: string): Promise<number> =>
      knex('channels.channel')
        .where({ project, id, cursor: before })
        .update({ cursor, fetchedAt: knex.fn.now(), reason: null }),
    /** Ids of those that were looked at so long ago. */
    listUnfetched: (seconds: number, limit: number): Promise<string[]> =>
      knex('channels.channel')
        .where({ state: 'connected' })
        .whereNotNull('cursor')
        .whereRaw(`"fetchedAt" < now() - make_interval(secs => ?)`, [seconds])
        .orderBy('fetchedAt')
        .limit(limit)
        .pluck('id'),
    /** Uses up the code: one conversation is paired by it. */
    takePair: (trx: Trx, { project, id }: Key, pairHash: Buffer): Promise<number> =>
      trx('channels.channel')
        .where({ project, id, pairHash })
        .where('pairEndsAt', '>', trx.fn.now())
        .update({ pairHash: null, pairEndsAt: null }),

    findConversation: (id: string, on: On = knex): Promise<ConversationRow | undefined> =>
      on('channels.conversation').where({ id }).first(),
    async takeConversation(trx: Trx, row: ConversationRow): Promise<ConversationRow> {
      const { project, channelId, external } = row
      await trx('channels.conversation').insert(row).onConflict(['project', 'channelId', 'external']).ignore()
      return trx('channels.conversation').where({ project, channelId, external }).forUpdate().first()
    },
    updateConversation: (on: On, { project, id }: Key, changes: Partial<ConversationRow>): Promise<number> =>
      on('channels.conversation').where({ project, id }).update(changes),
    async countAll(project: string, channelId: string): Promise<{ conversations: number; waiting: number }> {
      const { rows } = await knex.raw(
        `select (select count(*)::int from channels.conversation where project = :project and "channelId" = :channelId and paired) as conversations,
          (select count(*)::int from channels.message where project = :project and "channelId" = :channelId and status in ('received', 'running', 'sending')) as waiting`,
        { project, channelId }
      )
      return rows[0]
    },

    /** False for one that came before. */
    async insertMessage(trx: Trx, row: Partial<MessageRow>): Promise<boolean> {
      const made = await trx('channels.message').insert(row).onConflict().ignore().returning('id')
      return made.length > 0
    },
    findMessage: (id: string): Promise<MessageRow | undefined> =>
      knex('channels.message').where({ id }).first(),
    updateMessage: (
      on: On,
      { project, id }: Key,
      changes: Partial<MessageRow> & { endedAt?: string }
    ): Promise<number> => on('channels.message').where({ project, id }).update(changes),
    /** Of a conversation, that is not over and came first, as it stays until the transaction ends. */
    lockFirst: (trx: Trx, project: string, conversationId: string): Promise<MessageRow | undefined> =>
      trx('channels.message')
        .where({ project, conversationId })
        .whereIn('status', [...open])
        .orderBy('id')
        .forUpdate()
        .first(),
    countOpen: async (trx: Trx, project: string, conversationId: string): Promise<number> => {
      const [row] = await trx('channels.message')
        .where({ project, conversationId })
        .whereIn('status', [...open])
        .count()
      return Number(row?.count ?? 0)
    },
    listOfRuns: (
      trx: Trx,
      runs: readonly (readonly [project: string, runId: string])[]
    ): Promise<MessageRow[]> =>
      trx('channels.message')
        .whereIn(['project', 'runId'], runs as [string, string][])
        .where({ status: 'running' }),
    removeOld: (days: number, limit: number): Promise<number> =>
      knex('channels.message')
        .whereIn(
          ['project', 'id'],
          knex('channels.message')
            .whereRaw(`"createdAt" < now() - make_interval(days => ?)`, [days])
            .whereNotIn('status', [...open])
            .select('project', 'id')
            .limit(limit)
        )
        .delete()
  }
}
