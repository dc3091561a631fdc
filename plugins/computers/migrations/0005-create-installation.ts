import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Names what is this platform's in clusters that others use as well.
  await knex.raw(`
    create table computers.installation (
      project text collate "C" not null,
      name text collate "C" not null,
      primary key (project)
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table computers.installation')
}
