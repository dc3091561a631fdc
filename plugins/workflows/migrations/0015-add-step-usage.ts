import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('alter table workflows.step add usage jsonb')
}

export async function down(knex: Knex) {
  await knex.raw('alter table workflows.step drop usage')
}
