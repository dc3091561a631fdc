import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Each run is in it for the moment that it lasts, and what is open is summed up once an hour, for all accounts together.
  await knex.raw('drop index credits."reservation_project_accountId_idx"')
}

export async function down(knex: Knex) {
  await knex.raw(`create index on credits.reservation (project, "accountId") where "settledAt" is null`)
}
