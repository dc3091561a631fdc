import type { Kernel, Owned, PageOf, Paging, Principal, Trx } from 'agent-platform'
import { firstIdAt, paginate, reach } from 'agent-platform'

import { feedOf, wholeFeed } from '../activity/feeds.ts'

export type EventStore = ReturnType<typeof createEventStore>

/** Something that was done, made of a fact. */
export interface EventRow extends Owned {
  readonly id: string
  /** The fact's name. */
  readonly type: string
  readonly actor: string
  readonly subject: string
  readonly agentId: string | null
  readonly sessionId: string | null
  readonly runId: string | null
  readonly details: Readonly<Record<string, string | number | boolean>>
  readonly at: string
}

/** One that was not there before. */
export interface Made {
  readonly event: EventRow
  readonly feeds: readonly string[]
}

export interface EventQuery {
  readonly agentId?: string | undefined
  readonly sessionId?: string | undefined
  readonly runId?: string | undefined
  readonly actor?: string | undefined
  /** Names, or the beginnings of names up to their point (`runs.`). */
  readonly types: readonly string[]
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const columns = [
  'id',
  'owner',
  'type',
  'actor',
  'subject',
  'agentId',
  'sessionId',
  'runId',
  'details',
  'at'
] as const

const insertText = `insert into observability.event (project, id, owner, type, actor, subject, "agentId", "sessionId",
    "runId", details, at)
  select project, id, owner, type, actor, subject, "agentId", "sessionId", "runId", details, at
  from jsonb_to_recordset($1::jsonb) as e(project text, id text, owner text, type text, actor text, subject text,
    "agentId" text, "sessionId" text, "runId" text, details jsonb, at timestamptz)
  on conflict do nothing returning project, id, owner`
const feedsText = `select m.id, array(select f.stream from observability.feed f
    where f.project = m.project and f.stream in ($1, $2 || m.owner)) as feeds
  from made m`

/** The activity, as it is kept. */
export function createEventStore({ knex, replica, hot }: Pick<Kernel, 'knex' | 'replica' | 'hot'>) {
  return {
    /** Those that were not there, which stay as they are, each with the live streams that tell of it. */
    async insertAll(trx: Trx, events: readonly EventRow[]): Promise<Made[]> {
      const parts = {
        made: { text: insertText, values: [JSON.stringify(events)] },
        told: { text: feedsText, values: [wholeFeed, feedOf('')] }
      }
      const rows = await hot.together<{ id: string; feeds: string[] }>(
        'observability.events',
        parts,
        'select id, feeds from told',
        trx
      )
      const feeds = new Map(rows.map((row) => [row.id, row.feeds]))
      return events.flatMap((event) => {
        const own = feeds.get(event.id)
        return own ? [{ event, feeds: own }] : []
      })
    },

    /** From now on what belongs there is told there; false where it was already. */
    async insertFeed(trx: Trx, project: string, stream: string): Promise<boolean> {
      const made = await trx('observability.feed')
        .insert({ project, stream })
        .onConflict()
        .ignore()
        .returning('stream')
      return made.length > 0
    },

    /** A page, newest first, of what the principal reaches; with `agentId` of a whole agent, whose rights were asked for. By the
     *  replica: what happened is noted after the fact anyway. */
    list(
      by: Principal,
      { types, from, to, ...only }: EventQuery,
      page: Paging
    ): Promise<PageOf<Omit<EventRow, 'project'>>> {
      return replica.read((on) => {
        const { agentId, ...others } = only
        const query = on<EventRow>('observability.event').select(...columns)
        if (agentId === undefined) reach(by, query)
        else query.where({ project: by.project, agentId })
        for (const [column, value] of Object.entries(others))
          if (value !== undefined) query.where(column, value)
        if (from !== undefined) query.where('id', '>=', firstIdAt('event', new Date(from).getTime()))
        if (to !== undefined) query.where('id', '<', firstIdAt('event', new Date(to).getTime()))
        if (types.length > 0)
          query.where((either) => {
            for (const type of types)
              if (type.endsWith('.')) either.orWhereRaw('starts_with(type, ?)', [type])
              else either.orWhere({ type })
          })
        return paginate(query as never, page, 'event')
      })
    },

    /** Some from before then; says how many. */
    async removeOld(before: Date, limit: number): Promise<number> {
      const { rowCount } = await knex.raw(
        `delete from observability.event where (project, id) in (
          select project, id from observability.event where at < ? limit ?)`,
        [before, limit]
      )
      return rowCount
    }
  }
}
