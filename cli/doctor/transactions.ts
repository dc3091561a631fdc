import type { Knex } from 'knex'
import type { Check, Finding } from './finding.ts'
import { ok, problem, warning } from './finding.ts'
import type { Target } from './target.ts'
import { onDatabase } from './target.ts'

/** Of the two thousand million that there are; a server that cleans up stays far below. */
const OLD = 500_000_000
const VERY_OLD = 1_500_000_000
const LONG_SECONDS = 60
const VERY_LONG_SECONDS = 600

export const transactionChecks = (target: Target): readonly Check[] => [
  onDatabase(target, 'transaction ids', ids),
  onDatabase(target, 'open transactions', (knex) => openTransactions(knex))
]

async function ids(knex: Knex): Promise<Finding> {
  const { rows } = await knex.raw(
    'select age(datfrozenxid)::float8 as age from pg_database where datname = current_database()'
  )
  const { age } = rows[0] as { age: number }
  return judgeAge(age)
}

export function judgeAge(age: number): Finding {
  const found = `the oldest is ${Math.round(age / 1_000_000)} million transactions old`
  const advice = 'let autovacuum run, or call VACUUM: at 2,000 million the server takes no more changes'
  if (age > VERY_OLD) return problem(found, advice)
  return age > OLD ? warning(found, advice) : ok(found)
}

interface Open {
  /** Undefined for one that was prepared and left. */
  readonly pid: number | null
  readonly name: string
  readonly seconds: number
  /** It may be a platform's, so that it may have recorded facts. */
  readonly holdsFacts: boolean
}

/** Facts are read below the oldest transaction that may have recorded some: one that stays open holds all of them back. */
export async function openTransactions(knex: Knex, long = LONG_SECONDS, veryLong = VERY_LONG_SECONDS) {
  const { rows } = await knex.raw<{ rows: Open[] }>(
    `select pid, concat_ws(', ', nullif(application_name, ''), usename, state) as name,
       extract(epoch from clock_timestamp() - xact_start)::int as seconds,
       application_name = '' or application_name like 'agent-platform%' as "holdsFacts"
       from pg_stat_activity
      where datname = current_database() and backend_xid is not null and pid <> pg_backend_pid()
        and xact_start < clock_timestamp() - ? * interval '1 second'
     union all
     select null, 'prepared as ' || gid, extract(epoch from clock_timestamp() - prepared)::int, true
       from pg_prepared_xacts
      where database = current_database() and prepared < clock_timestamp() - ? * interval '1 second'
     order by "holdsFacts" desc, seconds desc`,
    [long, long]
  )
  const [oldest] = rows
  if (!oldest) return ok('none that holds back facts')
  const { pid, name, seconds, holdsFacts } = oldest
  const found = `${rows.length} open for long, one for ${seconds} s (${pid === null ? name : `process ${pid}, ${name}`}): ${holdsFacts ? 'facts wait' : 'what it locked waits'} for it`
  const advice =
    pid === null
      ? `end it: commit prepared, or rollback prepared`
      : `let it end, or end it: select pg_terminate_backend(${pid})`
  return seconds >= veryLong ? problem(found, advice) : warning(found, advice)
}
