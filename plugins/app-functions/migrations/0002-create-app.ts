import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // A row's id is that of the installation; "revision" is the one at which its tools were last written.
  await knex.raw(`
    create table app_functions.app (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      revision integer not null,
      primary key (project, id)
    )`)
  await knex.raw('create index on app_functions.app (id)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table app_functions.app')
}
