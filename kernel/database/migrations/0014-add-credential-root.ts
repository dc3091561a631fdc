import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('kernel').alterTable('credential', (table) => {
    table.binary('root').comment('public key by which tokens are verified that the holder of the key narrows')
  })
  // Of no project: who holds a token is not known before it is found.
  await knex.raw('create unique index credential_root on kernel.credential (root)')
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('kernel').alterTable('credential', (table) => {
    table.dropColumn('root')
  })
}
