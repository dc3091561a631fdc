import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    alter table tools.key_mapping
      add column "connectionId" text collate "C",
      add column scopes jsonb not null default '[]',
      alter column "keyId" drop not null`)
}

export async function down(knex: Knex) {
  await knex.raw('delete from tools.key_mapping where "keyId" is null')
  await knex.raw(`
    alter table tools.key_mapping
      alter column "keyId" set not null,
      drop column scopes,
      drop column "connectionId"`)
}
