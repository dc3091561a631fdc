import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table kernel.data_key (
      project text not null unique,
      id text not null,
      wrapped text not null,
      "masterKey" text not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    );
    create table kernel.signing_key (
      id text primary key,
      generation integer not null unique,
      "publicKey" jsonb not null,
      wrapped text not null,
      "masterKey" text not null,
      "createdAt" timestamptz not null default now(),
      "signsUntil" timestamptz not null
    );
    comment on column kernel.data_key."masterKey" is 'id of the master key that wraps it';
    comment on column kernel.signing_key."masterKey" is 'id of the master key that wraps it';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table kernel.signing_key, kernel.data_key')
}
