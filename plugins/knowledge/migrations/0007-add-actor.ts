import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Who began it, beside whose work it is ("by"); null of those that began before: that owner.
  await knex.raw('alter table knowledge.import add column actor jsonb')
}

export async function down(knex: Knex) {
  await knex.raw('alter table knowledge.import drop column actor')
}
