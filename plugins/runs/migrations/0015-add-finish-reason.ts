import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Why the model ended its reply: of a run its last one, of a step the one that called tools.
  await knex.raw('alter table runs.run add column "finishReason" text')
  await knex.raw('alter table runs.step add column "finishReason" text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.step drop column "finishReason"')
  await knex.raw('alter table runs.run drop column "finishReason"')
}
