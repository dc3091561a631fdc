import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('kernel').alterTable('project', (table) => {
    table
      .timestamp('closedAt')
      .comment('nobody may do anything in it from then on, and nothing goes on there')
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('kernel').alterTable('project', (table) => {
    table.dropColumn('closedAt')
  })
}
