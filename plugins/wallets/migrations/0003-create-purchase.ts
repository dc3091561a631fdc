import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // The nonce of an EIP-3009 authorization: by it the chain tells whether it was used.
  await knex.raw('alter table wallets.transfer add column "authorization" text collate "C"')
  // What was asked for by x402. "header" is the signed payment, kept before it is sent: what is sent again is the same one.
  await knex.raw(`
    create table wallets.purchase (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "walletId" text collate "C" not null,
      "requestKey" text collate "C",
      digest text collate "C" not null,
      "transferId" text collate "C",
      status text not null check (status in ('paying', 'completed', 'failed')),
      instance integer,
      quote jsonb,
      header jsonb,
      failure text,
      receipt jsonb,
      answer jsonb,
      "createdAt" timestamptz not null default now(),
      primary key (project, id),
      foreign key (project, "walletId") references wallets.wallet (project, id)
    )`)
  await knex.raw('create index on wallets.purchase (id)')
  await knex.raw('create unique index on wallets.purchase (project, "walletId", "requestKey")')
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('wallets').dropTable('purchase')
  await knex.raw('alter table wallets.transfer drop column "authorization"')
}
