import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Where on the chain it stands: the block, and the contract of EAS where that was called.
  await knex.raw('alter table provenance.anchor add column block integer, add column contract text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table provenance.anchor drop column block, drop column contract')
}
