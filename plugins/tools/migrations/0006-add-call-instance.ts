import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "instance" is the one that makes the call: when it is gone, nobody will say how the call ended.
  await knex.raw('alter table tools.call add instance integer')
  await knex.raw('create index call_owner on tools.call (project, owner, id)')
}

export async function down(knex: Knex) {
  await knex.raw('drop index tools.call_owner')
  await knex.raw('alter table tools.call drop instance')
}
