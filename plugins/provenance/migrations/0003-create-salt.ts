import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What the salts of a project's traces are made of.
  await knex.raw(`
    create table provenance.salt (
      project text collate "C" not null,
      sealed text not null,
      primary key (project)
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table provenance.salt')
}
