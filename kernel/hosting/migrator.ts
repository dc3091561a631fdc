import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import type { Trx } from '../data/transaction.ts'
import { LoadFault } from './fault.ts'
import type { Migration } from './migrations.ts'
import { readMigrations } from './migrations.ts'

/** A pack's name, after which its schema is named, and its migrations in order. */
export interface Migrating {
  readonly name: string
  readonly migrations: readonly Migration[]
}

export interface Outcome {
  /** What this call applied, in order. */
  readonly applied: readonly { readonly pack: string; readonly name: string }[]
  /** The first migration of a pack that failed stops its later ones, not those of others. */
  readonly failed: ReadonlyMap<string, Error>
  /** Packs to which a newer instance applied migrations that are not known here; those are left alone. */
  readonly newer: ReadonlySet<string>
}

export interface Migrator {
  /** Applies what is pending: one query when nothing is. Rejects only where the database is not there. */
  migrate(packs: readonly Migrating[]): Promise<Outcome>
  /** Takes all of a pack's migrations back, newest first, and drops its schema: all of it, or nothing. */
  rollback(pack: Migrating): Promise<void>
}

interface Options {
  readonly knex: Knex
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** Milliseconds that a migration waits for a lock that a running query holds. */
  readonly lockTimeout?: number
  /** Milliseconds that one statement may take, unless the migration sets another `statement_timeout`. */
  readonly statementTimeout?: number
}

/** How long another process may take for a migration of its own. */
const turnTimeout = '5min'
/** The server sees within a second, also in the middle of a statement, that the client has died. */
const noticeDeath = `select set_config('client_connection_check_interval',
  case when version() ~ 'linux' then '1s' else '0' end, true)`

/** The kernel's own migrations, run like those of a pack of that name. */
export async function kernelMigrations(): Promise<Migrating> {
  const folder = fileURLToPath(new URL('../data', import.meta.url))
  return { name: 'kernel', migrations: await readMigrations(folder) }
}

/**
 * Migrates while other processes serve or migrate too. The advisory lock belongs to the transaction of each
 * migration and its record, so that nothing is left of a process that dies at any moment.
 */
export function createMigrator({
  knex,
  log,
  lockTimeout = 5_000,
  statementTimeout = 60_000
}: Options): Migrator {
  async function migrate(packs: readonly Migrating[]): Promise<Outcome> {
    const applied: { pack: string; name: string }[] = []
    const failed = new Map<string, Error>()
    const records = await recorded(packs)
    for (const { name: pack, migrations } of packs) {
      const pending = migrations.filter(({ name }) => !records.get(pack)?.has(name))
      for (const migration of pending) {
        try {
          if (await apply(pack, migration)) applied.push({ pack, name: migration.name })
        } catch (error) {
          failed.set(pack, failure(migration.name, error))
          log.warn({ pack, migration: migration.name, err: failed.get(pack) }, 'Migration failed')
          break
        }
      }
    }
    return { applied, failed, newer: newerThan(packs, records) }
  }

  /** What is applied; makes the table of records where it is missing. */
  async function recorded(packs: readonly Migrating[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    try {
      return byPack(await knex.withSchema('kernel').from('migration').select('pack', 'name'))
    } catch (error) {
      if (!isMissing(error)) throw error
      if (packs.every(({ migrations }) => migrations.length === 0)) return new Map()
      await locked(createRecords)
      return recorded(packs)
    }
  }

  /** False when another process was faster. */
  function apply(pack: string, migration: Migration): Promise<boolean> {
    return locked(async (trx) => {
      const records = () => trx.withSchema('kernel').from('migration')
      if (await records().first('name').where({ pack, name: migration.name })) return false
      const started = performance.now()
      await trx.raw('create schema if not exists ??', [schemaOf(pack)])
      await migration.up(trx)
      await records().insert({ pack, name: migration.name })
      log.info(
        { pack, migration: migration.name, ms: Math.round(performance.now() - started) },
        'Migration applied'
      )
      return true
    })
  }

  async function rollback(pack: Migrating) {
    if (!(await recorded([pack])).has(pack.name)) return
    try {
      await locked((trx) => takeBack(trx, pack))
    } catch (error) {
      throw failure(`Removing ${pack.name}`, error)
    }
  }

  /** A transaction in which no other process migrates this database. */
  function locked<T>(work: (trx: Trx) => Promise<T>): Promise<T> {
    return knex.transaction(async (trx) => {
      await trx.raw(`${noticeDeath}; set local lock_timeout = '${turnTimeout}';
        select pg_advisory_xact_lock(hashtextextended('kernel.migration', 0));
        set local lock_timeout = ${lockTimeout}; set local statement_timeout = ${statementTimeout}`)
      return work(trx)
    })
  }

  return { migrate, rollback }
}

async function takeBack(trx: Trx, { name: pack, migrations }: Migrating) {
  const records = () => trx.withSchema('kernel').from('migration').where({ pack })
  const names: readonly string[] = await records().orderBy('name', 'desc').pluck('name')
  const known = new Map(migrations.map((migration) => [migration.name, migration]))
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) throw new Error(`only a newer version can take ${unknown} back`)
  for (const name of names) await known.get(name)?.down(trx)
  await records().delete()
  if (pack !== 'kernel') await trx.raw('drop schema if exists ??', [schemaOf(pack)])
}

async function createRecords(trx: Trx) {
  await trx.raw('create schema if not exists kernel')
  await trx.raw(`create table if not exists kernel.migration (
    pack text not null,
    name text not null,
    "appliedAt" timestamptz not null default now(),
    primary key (pack, name)
  )`)
}

const schemaOf = (pack: string) => pack.replaceAll('-', '_')

function byPack(rows: readonly { pack: string; name: string }[]): ReadonlyMap<string, ReadonlySet<string>> {
  const packs = new Map<string, Set<string>>()
  for (const { pack, name } of rows) packs.set(pack, (packs.get(pack) ?? new Set()).add(name))
  return packs
}

function newerThan(packs: readonly Migrating[], records: ReadonlyMap<string, ReadonlySet<string>>) {
  const isNewer = ({ name, migrations }: Migrating) => {
    const known = new Set(migrations.map((migration) => migration.name))
    return [...(records.get(name) ?? [])].some((applied) => !known.has(applied))
  }
  return new Set(packs.filter(isNewer).map(({ name }) => name))
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** No such table or schema. */
const isMissing = (error: unknown) => ['42P01', '3F000'].includes(codeOf(error) ?? '')

/** Without the statement, which knex writes into the message with its values. */
function failure(what: string, error: unknown): Error {
  if (error instanceof LoadFault) return error
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (code === '55P03')
    return new Error(`${what}: a lock was not free in time: a long query or another process holds it`)
  if (code === '57014') return new Error(`${what}: a statement took too long and was stopped`)
  if (code === undefined) return new Error(`${what}: ${message}`, { cause: error })
  return new Error(`${what}: ${message.slice(message.lastIndexOf(' - ') + 1).replace(/^- /, '')} (${code})`)
}
