import type { Kernel, Paging, Trx } from 'agent-platform'
import { paginate } from 'agent-platform'
import type { Summary } from '../schemas/experiments.ts'
import type { Result } from '../schemas/results.ts'
import { Result as ResultSchema } from '../schemas/results.ts'
import { RESULTS } from './results.ts'

export type SummaryStore = ReturnType<typeof createSummaryStore>
interface Of {
  readonly project: string
  readonly id: string
}
interface Changes {
  readonly improved: number
  readonly regressed: number
  readonly same: number
}

const summaryText = `select
    (count(*) filter (where status = 'completed'))::int as completed,
    (count(*) filter (where status = 'failed'))::int as failed,
    (count(*) filter (where passed))::int as passed,
    (avg(passed::int))::float8 as "passRate",
    avg(score::numeric)::float8 as score,
    sum(cost)::text as cost,
    coalesce(sum((usage->>'inputTokens')::bigint), 0)::float8 as "inputTokens",
    coalesce(sum((usage->>'cachedTokens')::bigint), 0)::float8 as "cachedTokens",
    coalesce(sum((usage->>'outputTokens')::bigint), 0)::float8 as "outputTokens",
    avg(milliseconds)::float8 as mean,
    percentile_cont(0.5) within group (order by milliseconds) as p50,
    percentile_cont(0.95) within group (order by milliseconds) as p95
  from ${RESULTS} where project = ? and "experimentId" = ?`
const scorersText = `select s->>'scorer' as scorer, avg((s->>'score')::numeric)::float8 as score,
    avg((s->>'passed')::boolean::int)::float8 as "passRate", count(s->>'score')::int as scored
  from ${RESULTS} r cross join lateral jsonb_array_elements(r.scores) s
  where r.project = ? and r."experimentId" = ? group by 1`
const changesText = `select
    (count(*) filter (where o.score > b.score))::int as improved,
    (count(*) filter (where o.score < b.score))::int as regressed,
    (count(*) filter (where o.score = b.score))::int as same
  from ${RESULTS} b join ${RESULTS} o on o.project = b.project and o."itemId" = b."itemId"
  where b.project = ? and b."experimentId" = ? and o."experimentId" = ?`

/** What results come to, alone and beside those of others. */
export function createSummaryStore({ knex }: Pick<Kernel, 'knex'>) {
  return {
    /** Its scorers in the order of these names. */
    async find(
      { project, id }: Of,
      names: readonly string[],
      on: typeof knex | Trx = knex
    ): Promise<Summary> {
      const [
        {
          rows: [all]
        },
        { rows: of }
      ] = [await on.raw(summaryText, [project, id]), await on.raw(scorersText, [project, id])]
      const { inputTokens, cachedTokens, outputTokens, mean, p50, p95, ...sums } = all
      const scorers = of as Summary['scorers']
      return {
        ...sums,
        scorers: names.map(
          (scorer) =>
            scorers.find((it) => it.scorer === scorer) ?? { scorer, score: null, passRate: null, scored: 0 }
        ),
        usage: { inputTokens, cachedTokens, outputTokens },
        latency: { mean, p50, p95 }
      }
    },

    async findChanges(project: string, baseline: string, other: string): Promise<Changes> {
      const { rows } = await knex.raw(changesText, [project, baseline, other])
      return rows[0]
    },

    /** Items that one of these has, those of the newest item first. */
    listItemIds(
      project: string,
      ids: readonly string[],
      change: 'improved' | 'regressed' | undefined,
      page: Paging
    ) {
      const compared = knex(RESULTS)
        .where({ project })
        .whereIn('experimentId', [...ids])
        .groupBy('itemId')
        .select('itemId as id')
      const [baseline = ''] = ids
      const side = (of: string, is: string) => `${of}(score) filter (where "experimentId" ${is} ?)`
      if (change === 'improved')
        compared.havingRaw(`${side('max', '<>')} > ${side('max', '=')}`, [baseline, baseline])
      if (change === 'regressed')
        compared.havingRaw(`${side('min', '<>')} < ${side('max', '=')}`, [baseline, baseline])
      return paginate<{ id: string }>(knex.from(compared.as('compared')).select('id'), page, 'item')
    },

    listOfItems: (project: string, ids: readonly string[], itemIds: readonly string[]): Promise<Result[]> =>
      knex(RESULTS)
        .where({ project })
        .whereIn('experimentId', [...ids])
        .whereIn('itemId', [...itemIds])
        .select(Object.keys(ResultSchema.properties))
  }
}
