import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('alter table tools.permission add version integer not null default 1')
  for (const table of ['assignment', 'permission', 'tool_key']) {
    await knex.raw(`alter table tools.${table} add "updatedAt" timestamptz not null default now()`)
    await knex.raw(`update tools.${table} set "updatedAt" = "createdAt"`)
  }
}

export async function down(knex: Knex) {
  for (const table of ['tool_key', 'permission', 'assignment'])
    await knex.raw(`alter table tools.${table} drop "updatedAt"`)
  await knex.raw('alter table tools.permission drop version')
}
