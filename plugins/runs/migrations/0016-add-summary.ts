import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What stands in the prompts of a run for this step and those before it.
  await knex.raw('alter table runs.step add column summary text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.step drop column summary')
}
