import type { Knex } from 'knex'

/** What is drawn, spoken and heard has prices, too. */
export async function up(knex: Knex) {
  await knex.raw('alter table credits.price drop constraint price_kind_check')
  await knex.raw(
    `alter table credits.price add constraint price_kind_check
      check (kind in ('model', 'tool', 'image', 'speech', 'transcription'))`
  )
}

export async function down(knex: Knex) {
  await knex.raw(`delete from credits.price where kind not in ('model', 'tool')`)
  await knex.raw('alter table credits.price drop constraint price_kind_check')
  await knex.raw(
    `alter table credits.price add constraint price_kind_check check (kind in ('model', 'tool'))`
  )
}
