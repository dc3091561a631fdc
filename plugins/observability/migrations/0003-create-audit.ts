import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // One chain for the platform: "hash" is of the entry and of the hash before it. "source" is what it was made of, once.
  await knex.raw(`
    create table observability.audit (
      seq bigint primary key,
      source text collate "C" not null unique,
      "inProject" text,
      owner text not null,
      type text not null,
      actor text not null,
      subject text not null,
      details jsonb not null,
      at timestamptz not null,
      previous text not null,
      hash text not null
    )`)
  await knex.raw(`
    create function observability.keep() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is only ever added to' using errcode = 'integrity_constraint_violation';
    end $$`)
  await knex.raw(`
    create trigger append_only before update or delete or truncate on observability.audit
      for each statement execute function observability.keep()`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table observability.audit')
  await knex.raw('drop function observability.keep()')
}
