import type { Kernel, Principal, Trx } from 'agent-platform'
import { reach } from 'agent-platform'
import type { Knex } from 'knex'

export type UsageStore = ReturnType<typeof createUsageStore>

/** A call of a model or a tool, as it is counted. */
export interface CallRow {
  readonly project: string
  /** Empty for one that no run made. */
  readonly runId: string
  /** Tells it from the others of its run. */
  readonly key: string
  readonly owner: string
  readonly agentId: string
  readonly sessionId: string | null
  readonly kind: 'model' | 'tool'
  /** Of a tool: its kind. */
  readonly provider: string
  readonly name: string
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  /** Tokens that the provider did not report are estimated. */
  readonly isEstimated: boolean
  /** In millionths of a credit; null where there is no price. */
  readonly cost: number | null
  readonly milliseconds: number | null
  readonly isError: boolean
  readonly at: string
}

export const groups = ['agent', 'session', 'model', 'tool'] as const
export type Group = (typeof groups)[number]
export const intervals = ['hour', 'day', 'month', 'all'] as const
export type Interval = (typeof intervals)[number]

/** Of an agent, of a session, or of all that a principal reaches. */
export type Counted =
  | { readonly agentId: string }
  | { readonly sessionId: string }
  | { readonly by: Principal }

export interface UsageQuery {
  readonly project: string
  readonly of: Counted
  readonly from: Date
  readonly to: Date
  /** There is nothing after `to` yet, so that the sum of its day is that until then. */
  readonly untilNow: boolean
  readonly interval: Interval
  readonly by: readonly Group[]
}

/** A sum. Counts are exact up to 2^53. */
export interface SumRow {
  readonly start: string | null
  readonly agentId?: string
  readonly sessionId?: string | null
  readonly kind: 'model' | 'tool'
  readonly provider?: string
  readonly name?: string
  readonly calls: number
  readonly errors: number
  readonly unpriced: number
  readonly estimated: number
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  /** In millionths of a credit. */
  readonly cost: number
}

const names = `project, "runId", key, owner, "agentId", "sessionId", kind, provider, name, "inputTokens",
  "cachedTokens", "outputTokens", cost, milliseconds, "isError", "isEstimated", at`
// One document, however many there are.
const insertText = `insert into observability.call (${names})
  select ${names} from jsonb_to_recordset($1::jsonb) as c(project text, "runId" text, key text, owner text,
    "agentId" text, "sessionId" text, kind text, provider text, name text, "inputTokens" bigint,
    "cachedTokens" bigint, "outputTokens" bigint, cost bigint, milliseconds bigint, "isError" boolean,
    "isEstimated" boolean, at timestamptz)
  on conflict do nothing returning *`
// What is there already was counted: only what is new adds to its day.
const addText = `insert into observability.day as d (project, "agentId", day, kind, provider, name, owner, calls, errors,
    unpriced, estimated, "inputTokens", "cachedTokens", "outputTokens", cost, milliseconds)
  select project, "agentId", (at at time zone 'UTC')::date, kind, provider, name, owner, count(*),
    count(*) filter (where "isError"), count(*) filter (where cost is null),
    count(*) filter (where "isEstimated"), sum("inputTokens"), sum("cachedTokens"), sum("outputTokens"), coalesce(sum(cost), 0), coalesce(sum(milliseconds), 0)
  from made group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (project, "agentId", day, kind, provider, name, owner) do update set calls = d.calls + excluded.calls,
    errors = d.errors + excluded.errors, unpriced = d.unpriced + excluded.unpriced,
    estimated = d.estimated + excluded.estimated, "inputTokens" = d."inputTokens" + excluded."inputTokens",
    "cachedTokens" = d."cachedTokens" + excluded."cachedTokens",
    "outputTokens" = d."outputTokens" + excluded."outputTokens", cost = d.cost + excluded.cost,
    milliseconds = d.milliseconds + excluded.milliseconds
  returning day`

const summed = [
  'calls',
  'errors',
  'unpriced',
  'estimated',
  'inputTokens',
  'cachedTokens',
  'outputTokens',
  'cost'
] as const
// Sums of bigint are numeric, and cost five times as much; those of whole numbers are exact either way.
const sums = summed.map((name) => `sum("${name}"::float8) as "${name}"`).join(', ')
const ofDays = `calls, errors, unpriced, estimated, "inputTokens", "cachedTokens", "outputTokens", cost`
const ofCalls = `1 as calls, "isError"::int as errors, (cost is null)::int as unpriced,
  "isEstimated"::int as estimated, "inputTokens", "cachedTokens",
  "outputTokens", coalesce(cost, 0) as cost`
// Days begin as their sums are kept.
const startOf: Readonly<Record<Interval, string>> = {
  hour: `date_trunc('hour', at, 'UTC')`,
  day: 'day::text',
  month: `date_trunc('month', day::timestamp)::date::text`,
  all: 'null'
}
const DAY_MS = 86_400_000
const columnsOf = {
  agent: ['agentId'],
  session: ['sessionId'],
  model: ['provider', 'name'],
  tool: ['name']
} as const

/** Calls, and their sums by day. */
export function createUsageStore({ knex, replica, hot }: Pick<Kernel, 'knex' | 'replica' | 'hot'>) {
  const within = (on: Knex, query: Knex.QueryBuilder, { project, of }: UsageQuery) => {
    if ('by' in of) return reach(of.by, query)
    query.where({ project })
    if ('agentId' in of) return query.where('agentId', of.agentId)
    // Calls of tools know their run alone.
    const ids = on('observability.call').where({ project, sessionId: of.sessionId }).select('runId')
    return query.where((either) => either.where('sessionId', of.sessionId).orWhereIn('runId', ids))
  }

  /** Whole days from their sums, what is left at both ends from single calls. */
  function sources(on: Knex, query: UsageQuery): Knex.QueryBuilder[] {
    const { from, to, untilNow, interval, of, by } = query
    const calls = (start: Date, end: Date) =>
      within(on, on('observability.call'), query)
        .where('at', '>=', start)
        .where('at', '<', end)
        .select(
          on.raw(
            `at, (at at time zone 'UTC')::date as day, "agentId", "sessionId", kind, provider, name, ${ofCalls}`
          ) as unknown as string
        )
    if (interval === 'hour' || 'sessionId' in of || by.includes('session')) return [calls(from, to)]
    const first = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS)
    const last = new Date((untilNow ? Math.ceil : Math.floor)(to.getTime() / DAY_MS) * DAY_MS)
    if (first >= last) return [calls(from, to)]
    const days = within(on, on('observability.day'), query)
      .where('day', '>=', dayOf(first))
      .where('day', '<', dayOf(last))
      .select(
        on.raw(
          `null::timestamptz as at, day, "agentId", null as "sessionId", kind, provider, name, ${ofDays}`
        ) as unknown as string
      )
    return [days, ...(from < first ? [calls(from, first)] : []), ...(last < to ? [calls(last, to)] : [])]
  }

  return {
    /** Those that are there already are not counted again. */
    async insertAll(trx: Trx, calls: readonly CallRow[]): Promise<void> {
      const parts = {
        made: { text: insertText, values: [JSON.stringify(calls)] },
        added: { text: addText, values: [] }
      }
      await hot.together('observability.calls', parts, 'select day from added', trx)
    },

    /** At most so many sums, in the order of time; by the replica, as calls are counted after the fact anyway. */
    list: (query: UsageQuery, limit: number): Promise<SumRow[]> =>
      replica.read(async (on) => {
        const { interval, by } = query
        const [first, ...others] = sources(on, query) as [Knex.QueryBuilder, ...Knex.QueryBuilder[]]
        const groupNames = [...new Set(['kind', ...by.flatMap((group) => columnsOf[group])])]
        const start = startOf[interval]
        const rows = on
          .select(on.raw(`${start} as start`), ...groupNames, on.raw(sums))
          .from(first.unionAll(others).as('used'))
          .limit(limit)
          .groupBy('start', ...groupNames)
          .orderBy(['start', ...groupNames])
        if (by.includes('tool') && !by.includes('model')) rows.where('kind', 'tool')
        if (by.includes('model') && !by.includes('tool')) rows.where('kind', 'model')
        return (await rows) as SumRow[]
      }),

    /** Some calls from before then; says how many. Their sums stay. */
    async removeOld(before: Date, limit: number): Promise<number> {
      const { rowCount } = await knex.raw(
        `delete from observability.call where (project, "runId", key) in (
          select project, "runId", key from observability.call where at < ? limit ?)`,
        [before, limit]
      )
      return rowCount
    }
  }
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
