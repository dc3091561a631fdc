import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table wallets.wallet (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      name text,
      network text collate "C" not null,
      "chainId" integer not null,
      address text collate "C" not null,
      signer text collate "C" not null,
      "primary" boolean not null,
      status text not null check (status in ('active', 'deactivated')),
      frozen boolean not null default false,
      policy jsonb not null,
      "nextNonce" bigint not null default 0,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on wallets.wallet (id)')
  await knex.raw('create index on wallets.wallet (project, owner, id)')
  await knex.raw('create index on wallets.wallet (project, "agentId", id)')
  await knex.raw(`create unique index on wallets.wallet (project, "agentId") where "primary"`)
  // Private keys, sealed by the vault; rows are never deleted, for what is sent to an address later would be lost.
  await knex.raw(`
    create table wallets.key (
      project text collate "C" not null,
      "walletId" text collate "C" not null,
      sealed text not null,
      primary key (project, "walletId"),
      foreign key (project, "walletId") references wallets.wallet (project, id)
    )`)
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('wallets').dropTable('key')
  await knex.schema.withSchema('wallets').dropTable('wallet')
}
