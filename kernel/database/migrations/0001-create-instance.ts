import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table kernel.instance (
      id integer generated always as identity primary key,
      host text not null,
      pid integer not null,
      version text not null,
      "startedAt" timestamptz not null default now(),
      "heartbeatAt" timestamptz not null default now(),
      draining boolean not null default false,
      "deadAt" timestamptz
    )`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table kernel.instance')
}
