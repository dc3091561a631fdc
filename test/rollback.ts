import type { Knex } from 'knex'
import type { Migrating } from '../kernel/database/migrator.ts'

/** Takes all of a pack's migrations back, newest first, and drops its schema: all of it, or nothing. */
export const rollback = (knex: Knex, { name: pack, migrations }: Migrating): Promise<void> =>
  knex.transaction(async (trx) => {
    const names: string[] = await trx('kernel.migration')
      .where({ pack })
      .orderBy('name', 'desc')
      .pluck('name')
    for (const name of names) await migrations.find((migration) => migration.name === name)?.down(trx)
    await trx('kernel.migration').where({ pack }).delete()
    if (pack !== 'kernel') await trx.raw('drop schema if exists ??', [pack.replaceAll('-', '_')])
  })
