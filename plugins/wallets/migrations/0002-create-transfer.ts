import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Amounts are minor units. "requestKey" names the request or the call that asked for it: the same one pays once.
  await knex.raw(`
    create table wallets.transfer (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "walletId" text collate "C" not null,
      kind text not null check (kind in ('transfer', 'x402')),
      asset text not null check (asset in ('stablecoin', 'native')),
      symbol text not null,
      decimals integer not null,
      units numeric(78, 0) not null check (units > 0),
      "to" text collate "C" not null,
      host text,
      network text collate "C" not null,
      "chainId" integer not null,
      status text not null check (status in ('pending', 'confirmed', 'failed', 'replaced')),
      hash text collate "C",
      nonce bigint,
      failure text,
      approved boolean not null,
      "runId" text collate "C",
      "requestKey" text collate "C",
      digest text collate "C" not null,
      "missingSince" timestamptz,
      "validBefore" timestamptz,
      "createdAt" timestamptz not null default now(),
      "endedAt" timestamptz,
      primary key (project, id),
      foreign key (project, "walletId") references wallets.wallet (project, id)
    )`)
  await knex.raw('create index on wallets.transfer (id)')
  await knex.raw('create index on wallets.transfer (project, "walletId", id)')
  await knex.raw('create index on wallets.transfer (project, "walletId", "createdAt")')
  await knex.raw('create index on wallets.transfer (project, "runId") where "runId" is not null')
  await knex.raw(`create index on wallets.transfer (project, network, "chainId") where status = 'pending'`)
  await knex.raw('create unique index on wallets.transfer (project, "walletId", "requestKey")')
  // What was signed, before it is sent: what is sent again are the same bytes. A later one of a transfer replaces the earlier.
  await knex.raw(`
    create table wallets.transaction (
      project text collate "C" not null,
      "transferId" text collate "C" not null,
      hash text collate "C" not null,
      raw text not null,
      "maxFeePerGas" numeric(78, 0) not null,
      "createdAt" timestamptz not null default clock_timestamp(),
      primary key (project, "transferId", hash),
      foreign key (project, "transferId") references wallets.transfer (project, id)
    )`)
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('wallets').dropTable('transaction')
  await knex.schema.withSchema('wallets').dropTable('transfer')
}
