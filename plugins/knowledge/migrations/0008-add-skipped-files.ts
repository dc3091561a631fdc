import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    alter table knowledge.import
      add column "skippedFiles" jsonb not null default '[]',
      add column warnings jsonb not null default '[]'`)
}

export async function down(knex: Knex) {
  await knex.raw('alter table knowledge.import drop column "skippedFiles", drop column warnings')
}
