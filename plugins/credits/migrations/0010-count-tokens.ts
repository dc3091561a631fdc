import type { Knex } from 'knex'

/** Caps that count what is spent by tokens that were narrowed from a key: one for each of their blocks that says how much. */
export async function up(knex: Knex) {
  await knex.raw(
    `alter table credits.cap add column token text collate "C", add column "expiresAt" timestamptz`
  )
  await knex.raw('create unique index cap_token on credits.cap (project, token) where token is not null')
}

export async function down(knex: Knex) {
  await knex.raw('delete from credits.cap where token is not null')
  await knex.raw('alter table credits.cap drop column token, drop column "expiresAt"')
}
