import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import type { Knex } from 'knex'
import type { Migration } from './read-migrations.ts'
import { readMigrations } from './read-migrations.ts'
import type { Trx } from './transaction.ts'

/** A pack's name, after which its schema is named, and its migrations in order. */
export interface Migrating {
  readonly name: string
  readonly migrations: readonly Migration[]
}

/** The kernel's own migrations, run like those of a pack of that name. */
export async function kernelMigrations(): Promise<Migrating> {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  return { name: 'kernel', migrations: await readMigrations(folder) }
}

/**
 * One migration at a time among all processes, and nothing left of one that dies: the advisory lock belongs to
 * the transaction, and the server looks each second, also in the middle of a statement, whether the client
 * lives. Another process may take minutes for its turn; a lock that a query holds is waited for briefly.
 */
const takeTurn = `
  select set_config('client_connection_check_interval',
    case when version() ~ 'linux' then '1s' else '0' end, true);
  set local lock_timeout = '5min';
  select pg_advisory_xact_lock(hashtextextended('kernel.migration', 0));
  set local lock_timeout = '5s'; set local statement_timeout = '60s';
  create schema if not exists kernel;
  create table if not exists kernel.migration (
    pack text not null,
    name text not null,
    "appliedAt" timestamptz not null default now(),
    digest text,
    primary key (pack, name)
  )`

/** What was applied; without a digest where the version that applied it noted none. */
interface Applied {
  readonly pack: string
  readonly name: string
  readonly digest?: string | null
}

interface Deps {
  readonly knex: Knex
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/** Migrates while other processes serve or migrate too. */
export function createMigrator({ knex, log }: Deps) {
  /** Applies what is pending: one query when nothing is. Rejects only where the database is not there. */
  async function migrate(packs: readonly Migrating[]) {
    const applied: { pack: string; name: string }[] = []
    /** The first migration of a pack that fails stops its later ones, not those of others. */
    const failed = new Map<string, Error>()
    /** Packs to which a newer instance applied migrations that are not known here; those are left alone. */
    const newer = new Set<string>()
    const records = await recorded()
    for (const { name: pack, migrations } of packs) {
      const done = new Map(records.get(pack)?.map(({ name, digest }) => [name, digest]))
      if (new Set(done.keys()).difference(new Set(migrations.map(({ name }) => name))).size > 0)
        newer.add(pack)
      try {
        for (const migration of migrations)
          if (done.has(migration.name)) checkUnchanged(pack, migration, done.get(migration.name))
          else if (await apply(pack, migration)) applied.push({ pack, name: migration.name })
      } catch (error) {
        failed.set(pack, error as Error)
        log.warn({ pack, err: error }, 'Migration failed')
      }
    }
    const isUnknown = ({ name }: Migrating) => records.get(name)?.some(({ digest }) => !digest)
    if (applied.length > 0 || packs.some(isUnknown))
      await noteDigests(packs.filter(({ name }) => !failed.has(name)))
    return { applied, failed, newer }
  }

  async function recorded() {
    // All columns: that of digests is made by a migration.
    const rows: Applied[] = await knex('kernel.migration')
      .select('*')
      .catch((error) => {
        // No such table, or schema, yet.
        if (['42P01', '3F000'].includes(error.code)) return []
        throw error
      })
    return Map.groupBy(rows, ({ pack }) => pack)
  }

  /**
   * Its tables are not what an edited file says, and no other database will have both. A pack is refused with that; the
   * kernel's own files come with a release, where no operator can mend them.
   */
  function checkUnchanged(pack: string, { name, digest }: Migration, known: string | null | undefined) {
    if (!known || known === digest) return
    if (pack !== 'kernel') throw new Error(edited(name, pack))
    log.warn({ pack, migration: name }, 'A migration of the kernel was edited after it was applied')
  }

  /** Of all that are applied and have none; those that an older version applied are taken as they are now. */
  async function noteDigests(packs: readonly Migrating[]) {
    const all = packs.flatMap(({ name: pack, migrations }) =>
      migrations.map(({ name, digest }) => ({ pack, name, digest }))
    )
    await knex.raw(
      `update kernel.migration set digest = known.digest
       from jsonb_to_recordset(?::jsonb) as known (pack text, name text, digest text)
       where migration.digest is null and migration.pack = known.pack and migration.name = known.name`,
      [JSON.stringify(all)]
    )
  }

  /** The owner of such a schema would lose it together with the pack. The kernel's is made before its records. */
  async function refuseForeign(trx: Trx, pack: string, schema: string): Promise<void> {
    if (pack === 'kernel' || (await hasMigrated(pack, trx))) return
    if (await trx('pg_namespace').first('oid').where({ nspname: schema }))
      throw new Error(`the schema ${schema} is there already, and is not this pack's`)
  }

  /** False when another process was faster. */
  async function apply(pack: string, { name, up }: Migration): Promise<boolean> {
    const started = performance.now()
    const work = async (trx: Trx) => {
      await trx.raw(takeTurn)
      if (await trx('kernel.migration').first('name').where({ pack, name })) return false
      const schema = schemaOf(pack)
      await refuseForeign(trx, pack, schema)
      await trx.raw('create schema if not exists ??', [schema])
      await up(trx)
      await trx('kernel.migration').insert({ pack, name })
      return true
    }
    const isApplied = await knex.transaction(work).catch((error) => {
      throw withoutStatement(name, error)
    })
    const ms = Math.round(performance.now() - started)
    if (isApplied) log.info({ pack, migration: name, ms }, 'Migration applied')
    return isApplied
  }

  /**
   * Takes away a pack's schema with all that is in it, and the records of its migrations, as a part of the
   * transaction; no other process migrates until that ends. Waits five seconds for transactions that use a table. A schema in
   * which the pack never migrated is another owner's, and stays.
   */
  async function drop(trx: Trx, pack: string) {
    await trx.raw(takeTurn)
    if (!(await hasMigrated(pack, trx))) return { tables: [], migrations: [] }
    const schema = schemaOf(pack)
    const tables: string[] = await trx('pg_tables')
      .where({ schemaname: schema })
      .orderBy('tablename')
      .pluck('tablename')
    await trx.raw('drop schema if exists ?? cascade', [schema])
    const records: { name: string }[] = await trx('kernel.migration')
      .where({ pack })
      .delete()
      .returning('name')
    return { tables, migrations: records.map(({ name }) => name).sort() }
  }

  /** Whether a pack of that name has ever migrated here. */
  const hasMigrated = async (pack: string, on: Knex | Trx = knex): Promise<boolean> =>
    (await on('kernel.migration').first('name').where({ pack })) !== undefined

  return { migrate, drop, hasMigrated }
}
export type Migrator = ReturnType<typeof createMigrator>

/** Of a pack's own tables. */
export const schemaOf = (pack: string): string => pack.replaceAll('-', '_')

const edited = (name: string, pack: string): string =>
  `${name} was edited after it was applied: put it back, and change the tables in a further migration ` +
  `(or begin anew without what they hold: packs remove ${pack} --drop-data)`

/** knex writes the statement into the message, with its values. */
function withoutStatement(name: string, error: Error & { code?: string }): Error {
  if (error.code === undefined) return new Error(`${name}: ${error.message}`, { cause: error })
  const message = error.message.slice(error.message.lastIndexOf(' - ') + 3)
  return Object.assign(new Error(`${name}: ${message} (${error.code})`), { code: error.code })
}
