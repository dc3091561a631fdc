import type { Knex } from 'knex'

/** Of servers of chat completions that a project names; null for other providers. */
export async function up(knex: Knex) {
  await knex.schema.withSchema('models').alterTable('configuration', (table) => {
    table.text('headers').comment('sealed')
    table.jsonb('models')
  })
}

export async function down(knex: Knex) {
  await knex('models.configuration').where('provider', 'like', 'openai-compatible:%').delete()
  await knex.schema.withSchema('models').alterTable('configuration', (table) => {
    table.dropColumn('headers')
    table.dropColumn('models')
  })
}
