import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What is old is found by its time, as calls are: it costs nothing to write, where an index of ids cost each event.
  await knex.raw('create index on observability.event using brin (at)')
  await knex.raw('drop index observability.event_id_idx')
}

export async function down(knex: Knex) {
  await knex.raw('create index on observability.event (id)')
  await knex.raw('drop index observability.event_at_idx')
}
