import type { Knex } from 'knex'

export async function up(knex: Knex) {
  for (const name of ['app', 'app_version'])
    await knex.schema.withSchema('ui_plugins').alterTable(name, (table) => {
      table.jsonb('icon')
    })
}

export async function down(knex: Knex) {
  for (const name of ['app', 'app_version'])
    await knex.schema.withSchema('ui_plugins').alterTable(name, (table) => {
      table.dropColumn('icon')
    })
}
