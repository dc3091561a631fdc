import type { Knex } from 'knex'

/** Collections whose entries went while their pack was off, and how far they were put again since it is back. */
export async function up(knex: Knex) {
  await knex.raw(`
    create table retrieval.loss (
      project text not null,
      collection text not null,
      after text not null default '',
      primary key (project, collection)
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table retrieval.loss')
}
