import type { Knex } from 'knex'

/** Tokens that a provider writes to its cache cost more than others with some of them. Null: as the input. */
export async function up(knex: Knex) {
  await knex.raw('alter table credits.price add column "cacheWrite" bigint')
}

export async function down(knex: Knex) {
  await knex.raw('alter table credits.price drop column "cacheWrite"')
}
