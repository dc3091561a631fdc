import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('alter table ui_plugins.connection add column "connectionId" text collate "C"')
}

export async function down(knex: Knex) {
  await knex.raw('alter table ui_plugins.connection drop column "connectionId"')
}
