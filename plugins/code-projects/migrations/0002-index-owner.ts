import type { Knex } from 'knex'

const tables = ['codeproject', 'publication']

/** What an owner has is counted whenever there is more of it. */
export async function up(knex: Knex) {
  for (const name of tables)
    await knex.raw(`create index ${name}_owner on code_projects.${name} (project, owner)`)
}

export async function down(knex: Knex) {
  for (const name of tables) await knex.raw(`drop index code_projects.${name}_owner`)
}
