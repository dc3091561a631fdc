import type { Knex } from 'knex'
import { CONNECTIONS } from '../../kernel/database/connect.ts'
import { lineOf } from '../faults.ts'
import type { Check, Finding } from './finding.ts'
import { count, ok, problem, warning } from './finding.ts'
import { addressOf } from './mask.ts'
import type { Target } from './target.ts'
import { onDatabase } from './target.ts'

const OLDEST = 15
const SKEW_MS = 2_000
/** Tokens and statements of who asks are good for a minute. */
const MUCH_SKEW_MS = 30_000
const SAMPLES = 5

export const serverChecks = (target: Target): readonly Check[] => [
  { name: 'database', look: () => reached(target) },
  onDatabase(target, 'encoding', encoding),
  onDatabase(target, 'connections', (knex) => connections(knex, target.living.length)),
  onDatabase(target, 'rights', rights),
  onDatabase(target, 'clock', clock),
  onDatabase(target, 'autovacuum', autovacuum)
]

async function reached({ database, settings }: Target): Promise<Finding> {
  const { DATABASE_URL, DATA_DIR } = settings
  const where = DATABASE_URL ? addressOf(DATABASE_URL) : `the embedded one in ${DATA_DIR}`
  if (database === 'new') return ok('made at the first start')
  if (database instanceof Error)
    return problem(
      `${where} cannot be reached: ${lineOf(database)}`,
      DATABASE_URL
        ? 'start the server, or correct address, user and password in DATABASE_URL'
        : 'see the reason; postgres/server.log in the data folder may tell more'
    )
  const [{ number, version }] = await rowsOf<{ number: number; version: string }>(
    database.knex,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`
  )
  if (number < OLDEST * 10_000)
    return problem(`${where} is PostgreSQL ${version}`, `use a server of version ${OLDEST} or later`)
  return ok(`PostgreSQL ${version}, ${where}`)
}

async function encoding(knex: Knex): Promise<Finding> {
  const [{ encoding }] = await rowsOf<{ encoding: string }>(
    knex,
    `select current_setting('server_encoding') as encoding`
  )
  if (encoding === 'UTF8') return ok(encoding)
  return problem(
    `the database is encoded in ${encoding}, in which most texts cannot be kept`,
    `make another one: create database … encoding 'UTF8' template template0`
  )
}

interface Room {
  readonly room: number
  readonly most: number
}

/** All instances at their most, and one more while one replaces another. */
async function connections(knex: Knex, instances: number): Promise<Finding> {
  // A limit of the database or of the role may be lower than that of the server; -1 is none.
  const [{ room, most }] = await rowsOf<Room>(
    knex,
    `select most, least(
        most - current_setting('superuser_reserved_connections')::int
          - coalesce(current_setting('reserved_connections', true), '0')::int - elsewhere,
        nullif((select datconnlimit from pg_database where datname = current_database()), -1),
        nullif((select rolconnlimit from pg_roles where rolname = current_user), -1))::int as room
       from (select current_setting('max_connections')::int as most, count(*) as elsewhere
         from pg_stat_activity where backend_type = 'client backend'
          and datname <> current_database() and application_name not in ('agent-platform', 'agent-platform leaving')) activity`
  )
  const running = Math.max(1, instances)
  const needed = running * CONNECTIONS
  const found = `room for ${room} (max_connections ${most}); ${count(running, 'instance')} may take ${needed}`
  if (room >= needed + CONNECTIONS) return ok(found)
  const advice = `raise max_connections of the server, or run fewer instances: each may take ${CONNECTIONS}`
  if (room < needed) return problem(found, advice)
  return warning(`${found}, and there is no room for one more while one replaces another`, advice)
}

async function rights(knex: Knex): Promise<Finding> {
  const [{ name, may, database }] = await rowsOf<{ name: string; may: boolean; database: string }>(
    knex,
    `select current_user as name, current_database() as database,
       has_database_privilege(current_database(), 'create') as may`
  )
  if (may) return ok(`${name} may create schemas`)
  return problem(
    `${name} may not create schemas: migrations fail`,
    `grant create on database "${database}" to "${name}"`
  )
}

/** The server's answer was given somewhere between question and reply: the quickest of some tells most. */
async function clock(knex: Knex): Promise<Finding> {
  let best = { skew: 0, took: Number.POSITIVE_INFINITY }
  for (let sample = 0; sample < SAMPLES; sample++) {
    const before = Date.now()
    const [{ ms }] = await rowsOf<{ ms: number }>(
      knex,
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms'
    )
    const took = Date.now() - before
    if (took < best.took) best = { skew: ms - before - took / 2, took }
  }
  const off = Math.max(0, Math.abs(best.skew) - best.took / 2)
  const found = `${(best.skew / 1000).toFixed(1)} s between the database and this machine`
  const advice = 'let both follow a time server (NTP)'
  if (off > MUCH_SKEW_MS) return problem(found, advice)
  return off > SKEW_MS ? warning(found, advice) : ok(found)
}

interface Upkeep {
  /** `autovacuum` and `track_counts`, without which it does nothing, either. */
  readonly autovacuum: boolean
  readonly counts: boolean
}

async function autovacuum(knex: Knex): Promise<Finding> {
  const [upkeep] = await rowsOf<Upkeep>(
    knex,
    `select current_setting('autovacuum')::boolean as autovacuum, current_setting('track_counts')::boolean as counts`
  )
  return judgeUpkeep(upkeep)
}

export function judgeUpkeep({ autovacuum, counts }: Upkeep): Finding {
  if (autovacuum && counts) return ok('on')
  return problem(
    `${autovacuum ? 'track_counts' : 'autovacuum'} is off: tables grow, and plans are made without knowing them`,
    `set ${autovacuum ? 'track_counts' : 'autovacuum'} = on in the server's configuration, and reload it`
  )
}

/** The one row of a question that always has one. */
async function rowsOf<R>(knex: Knex, text: string): Promise<[R]> {
  return (await knex.raw(text)).rows
}
