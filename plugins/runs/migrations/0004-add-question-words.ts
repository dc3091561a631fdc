import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // What is asked, for those who look at the run rather than at its stream. Until now nothing showed it to them, so what
  // was asked before has no words.
  await knex.raw(`
    alter table runs.question add column message text not null default '', add column schema jsonb not null default '{}',
      add column deadline timestamptz not null default now()`)
}

export async function down(knex: Knex) {
  await knex.raw('alter table runs.question drop column message, drop column schema, drop column deadline')
}
