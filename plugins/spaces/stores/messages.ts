import type { Delegation, Kernel, PageOf, Recorded, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { Attachment, MessageQuery, Revision, StoredMessage } from '../schemas/messages.ts'
import { messages } from '../schemas/messages.ts'

export type MessageStore = ReturnType<typeof createMessageStore>

/** A message on its way in: it is taken when its author is a member who may post as the transaction sees it. */
export interface NewMessageRow {
  readonly project: string
  readonly id: string
  readonly owner: string
  readonly spaceId: string
  readonly subjectType: 'user' | 'agent' | 'service'
  readonly subjectId: string
  readonly content: string
  readonly replyToId: string | null
  readonly attachments: readonly Attachment[]
  readonly mentions: readonly string[]
  readonly runId: string | null
  readonly rootId: string
  readonly turn: number
  readonly key: string | null
  readonly delegation: Delegation | null
}

const columns = messages.columns.map((column) => `"${column}"`).join(', ')
const REVISION = 'spaces.revision'
const fields = `project text, id text, owner text, "spaceId" text, "subjectType" text, "subjectId" text, content text,
  "replyToId" text, attachments jsonb, mentions jsonb, "runId" text, "rootId" text, turn int, key text, delegation jsonb`
// The locks hold off a deletion of the space and a removal of the author until the message is in the stream.
const insertText = `insert into spaces.message (project, id, owner, "spaceId", "memberId", "authorType", "authorId",
    "authorName", content, "replyToId", attachments, mentions, "runId", "rootId", turn, key, delegation)
  select g.project, g.id, g.owner, g."spaceId", m.id, m."subjectType", m."subjectId", m.name, g.content, g."replyToId",
    g.attachments, g.mentions, g."runId", g."rootId", g.turn, g.key, g.delegation
  from json_to_recordset($1::json) as g(${fields})
    join spaces.space s on s.project = g.project and s.id = g."spaceId"
    join spaces.member m on m.project = g.project and m."spaceId" = g."spaceId"
      and m."subjectType" = g."subjectType" and m."subjectId" = g."subjectId"
  where m.role <> 'guest' and (g."replyToId" is null or exists (select from spaces.message r
    where r.project = g.project and r.id = g."replyToId" and r."spaceId" = g."spaceId"))
  for key share of s, m
  on conflict do nothing
  returning ${columns}`

export function createMessageStore({ knex, hot, facts }: Pick<Kernel, 'knex' | 'hot' | 'facts'>) {
  const rows = (on: Kernel['knex'] | Trx, where: object) =>
    on(messages.name)
      .where(where)
      .select(...messages.columns)

  return {
    /** Those that were taken, with the facts about them. */
    insertAll: (
      trx: Trx,
      given: readonly NewMessageRow[],
      recorded: readonly Recorded[]
    ): Promise<readonly StoredMessage[]> =>
      hot.together<StoredMessage>(
        'spaces.post',
        {
          message: { text: insertText, values: [JSON.stringify(given)] },
          fact: facts.rows(recorded, 'message')
        },
        'select * from message',
        trx
      ),

    find: (
      on: Kernel['knex'] | Trx,
      project: string,
      spaceId: string,
      id: string
    ): Promise<StoredMessage | undefined> =>
      on(messages.name)
        .where({ project, spaceId, id })
        .first(...messages.columns),

    /** By the ids of messages, of those that have one. */
    async listDelegations(
      trx: Trx,
      project: string,
      ids: readonly string[]
    ): Promise<ReadonlyMap<string, Delegation>> {
      const found: { id: string; delegation: Delegation }[] = await trx(messages.name)
        .where({ project })
        .whereIn('id', [...ids])
        .whereNotNull('delegation')
        .select('id', 'delegation')
      return new Map(found.map(({ id, delegation }) => [id, delegation]))
    },

    findOfKey: (project: string, key: string): Promise<StoredMessage | undefined> =>
      knex(messages.name)
        .where({ project, key })
        .first(...messages.columns),

    list(project: string, spaceId: string, query: MessageQuery): Promise<PageOf<StoredMessage>> {
      const found = rows(knex, { project, spaceId })
      if (query.replyToId !== undefined) found.where({ replyToId: query.replyToId })
      if (query.query !== undefined)
        found.whereRaw(`words @@ websearch_to_tsquery('simple', ?)`, [query.query]).whereNull('deletedAt')
      return paginate<StoredMessage>(found, query, 'message')
    },

    /** The latest, oldest first: after a message or of all. */
    async listLatest(
      project: string,
      spaceId: string,
      { after, limit }: { readonly after?: string | null; readonly limit: number }
    ): Promise<StoredMessage[]> {
      const found = rows(knex, { project, spaceId })
      if (after) found.where('id', '>', after)
      const latest: StoredMessage[] = await found.orderBy('id', 'desc').limit(limit)
      return latest.reverse()
    },

    /** What an edit replaces. */
    insertRevision: async (
      trx: Trx,
      project: string,
      { spaceId, ...revision }: Revision & { spaceId: string }
    ) => {
      await trx(REVISION).insert({ project, spaceId, ...revision })
    },

    /** Newest first. */
    listRevisions: (project: string, messageId: string): Promise<Revision[]> =>
      knex(REVISION)
        .where({ project, messageId })
        .orderBy('version', 'desc')
        .select('messageId', 'version', 'content', 'createdAt'),

    removeRevisions: async (trx: Trx, project: string, messageId: string): Promise<void> => {
      await trx(REVISION).where({ project, messageId }).delete()
    },

    removeRevisionsOfSpace: (
      gone: { project: string; id: string },
      trx: Trx,
      limit: number
    ): Promise<number> =>
      trx(REVISION)
        .where({ project: gone.project })
        .whereIn(['messageId', 'version'], (some) =>
          some
            .from(REVISION)
            .where({ project: gone.project, spaceId: gone.id })
            .limit(limit)
            .select('messageId', 'version')
        )
        .delete(),

    /** Leaves a tombstone. */
    async removeContent(trx: Trx, { project, id }: { project: string; id: string }): Promise<StoredMessage> {
      const [row] = await trx(messages.name)
        .where({ project, id })
        .update({
          content: null,
          attachments: '[]',
          mentions: '[]',
          reactions: '[]',
          deletedAt: trx.fn.now(),
          updatedAt: trx.fn.now(),
          version: trx.raw('version + 1')
        })
        .returning([...messages.columns])
      return row
    },

    /** Reactions are no edits of a message. */
    replaceReactions: async (
      trx: Trx,
      { project, id }: { project: string; id: string },
      reactions: StoredMessage['reactions']
    ): Promise<void> => {
      await trx(messages.name)
        .where({ project, id })
        .update({ reactions: JSON.stringify(reactions) })
    }
  }
}
