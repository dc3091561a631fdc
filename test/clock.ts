import type { Booted } from './boot.ts'
import { database } from './database.ts'
import { migrated } from './migrated.ts'

type Scope = Parameters<typeof database>[0]

/**
 * A database of its own whose clock the test sets, for all that asks it by `now()` or `clock_timestamp()`, which is what
 * decides when something is due; to be given to `boot` as `beside`.
 */
export async function databaseWithClock(t: Scope, packs?: readonly string[]) {
  const { connection, knex } = await database(t, migrated(packs))
  const shift = 'pg_catalog.%() + (select by from clock.shift)'
  const shifted = (name: string, volatility: string) =>
    `create function clock.${name}() returns timestamptz language sql ${volatility} as 'select ${shift.replace('%', name)}';`
  await knex.raw(
    `create schema clock;
     create table clock.shift (by interval not null);
     insert into clock.shift values ('0');
     ${shifted('now', 'stable')}
     ${shifted('clock_timestamp', 'volatile')}
     alter database ${connection.database} set search_path = clock, pg_catalog, public`
  )
  return {
    beside: { connection } as Booted,
    /** Once a platform with jobs runs on it: how far it is ahead of the real one, as an interval of PostgreSQL. */
    async shift(by: string): Promise<void> {
      // It asks for the real one by name.
      await knex.raw(
        `create or replace function pgboss.job_now() returns timestamptz language sql stable as 'select clock.now()'`
      )
      await knex.raw('update clock.shift set by = ?::interval', [by])
    }
  }
}
