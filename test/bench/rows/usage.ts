import type { Principal } from 'agent-platform'
import { createHot } from '../../../kernel/database/hot.ts'
import { up as createUsage } from '../../../plugins/observability/migrations/0001-create-usage.ts'
import { createUsageStore } from '../../../plugins/observability/stores/usage.ts'
import { createUsageService } from '../../../plugins/observability/usage/service.ts'
import { database } from '../../database.ts'
import { startLoad } from '../load.ts'
import { startModel } from '../models.ts'
import { runsInTurns, warm } from '../paired.ts'
import { median } from '../rounds.ts'
import type { Measure, Row } from '../row.ts'
import { startRuns } from '../runners.ts'
import type { Scope } from '../scope.ts'

/** With all that comes of runs, in the time that is measured. */
async function runRows(scope: Scope, quick: boolean): Promise<Row[]> {
  const load = await startLoad(scope)
  const model = await startModel(scope)
  const on = await startRuns(scope, model, undefined, ['observability'])
  const off = await startRuns(scope, model, undefined, ['jobs'])
  for (const runner of [on, off]) await warm(load, runner, quick ? 1_000 : 6_000)
  const { rate, cpu } = await runsInTurns(load, on, off, 64, quick)
  const { rows } = await on.knex.raw(
    `select (select count(*)::int from runs.run) as runs, (select sum(calls)::int from observability.day) as calls`
  )
  if (rows[0].runs !== rows[0].calls)
    throw new Error(`Of ${rows[0].runs} runs ${rows[0].calls} calls were counted`)
  const runs: Row = {
    what: 'runs a second whose usage, activity and traces are kept, 64 at a time, against runs of which they are not',
    reach: '≥ 0.95',
    measured: rate.shown,
    met: rate.ratio >= 0.95
  }
  const used: Row = {
    what: '… CPU time of server and database, µs a run',
    reach: '≤ 1.05×',
    measured: cpu.shown,
    met: cpu.ratio <= 1 / 0.95
  }
  return [runs, used]
}

const [AGENTS, MODELS, CALLS] = [50, 4, 10_000_000]
const TIMES = 9

/** Days as they come of ten million calls; those of the last one single, too. */
async function yearRow(scope: Scope): Promise<Row> {
  const { knex } = await database(scope)
  await knex.raw('create schema observability')
  await createUsage(knex)
  const each = Math.round(CALLS / 365 / AGENTS / MODELS)
  await knex.raw(
    `insert into observability.day (project, "agentId", day, kind, provider, name, owner, calls, errors, unpriced,
       "inputTokens", "cachedTokens", "outputTokens", cost, milliseconds)
     select 'default', 'agent_' || a, date '2025-01-01' + d, 'model', 'openai', 'model-' || m, 'ada', ?, 0, 0,
       1000 * ?, 0, 200 * ?, 250000 * ?, 0
     from generate_series(0, 364) d, generate_series(1, ?) a, generate_series(1, ?) m`,
    [each, each, each, each, AGENTS, MODELS]
  )
  await knex.raw(
    `insert into observability.call (project, "runId", key, owner, "agentId", "sessionId", kind, provider, name,
       "inputTokens", "outputTokens", cost, at)
     select 'default', 'run_' || n, 'step 1', 'ada', 'agent_' || (1 + n % ?), 'session_' || n / 3, 'model', 'openai',
       'model-' || (1 + n % ?), 1000, 200, 250000, timestamptz '2026-01-01T00:00Z' + n * interval '3 seconds'
     from generate_series(0, 27000) n`,
    [AGENTS, MODELS]
  )
  await knex.raw('vacuum analyze observability.day, observability.call')
  const usageStore = createUsageStore({
    knex,
    replica: { read: (work) => work(knex) },
    hot: createHot(knex)
  })
  const service = createUsageService({ agents: undefined as never, sessions: undefined as never, usageStore })
  const by = { project: 'default', type: 'user', id: 'ada', owner: 'ada' } as Principal
  // The end is in the middle of a day, of which single calls are summed.
  const query = {
    from: '2025-01-01T12:00:00Z',
    to: '2026-01-01T12:00:00Z',
    interval: 'day',
    groupBy: 'agent'
  } as const
  const times: number[] = []
  let sums = 0
  for (let n = 0; n < TIMES; n++) {
    const begun = performance.now()
    const report = await service.ofAll(by, query)
    times.push(performance.now() - begun)
    sums = report.items.length
  }
  const ms = median(times)
  return {
    what: `a year of usage (${CALLS.toLocaleString('en')} calls) by agent and day: ${sums.toLocaleString('en')} sums`,
    reach: '≤ 150 ms',
    measured: `${ms.toFixed(0)} ms`,
    met: ms <= 150
  }
}

/** What it costs runs that they are observed, and how soon a year is summed. */
export const measure: Measure = async (scope, quick) => [
  await yearRow(scope),
  ...(await runRows(scope, quick))
]
