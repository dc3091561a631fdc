import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "keyId" is the SHA-256 of the public key. The private half is sealed, and goes when a successor signs; the public half stays. There
  // is one row a project every few months: to look for one by its id goes through them.
  await knex.raw(`
    create table provenance.signing_key (
      project text collate "C" not null,
      generation integer not null,
      "keyId" text collate "C" not null,
      "publicKey" text not null,
      sealed text,
      "createdAt" timestamptz not null default now(),
      "signsUntil" timestamptz not null,
      primary key (project, generation)
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table provenance.signing_key')
}
