import type { Knex } from 'knex'

/** What was paid by x402 for answers of the platform: a payment is known by its payer and nonce, and is good for one answer. */
export async function up(knex: Knex) {
  await knex.raw(`
    create table wallets.charge (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      network text collate "C" not null,
      "chainId" integer not null,
      payer text collate "C" not null,
      nonce text collate "C" not null,
      "to" text collate "C" not null,
      units numeric(78, 0) not null check (units > 0),
      resource text not null,
      status text not null check (status in ('settling', 'settled', 'used')),
      instance integer,
      "sinceBlock" bigint not null,
      "requestKey" text collate "C",
      hash text collate "C",
      "createdAt" timestamptz not null default now(),
      "usedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on wallets.charge (id)')
  await knex.raw('create unique index on wallets.charge (project, "chainId", payer, nonce)')
  await knex.raw('alter table wallets.transfer drop constraint transfer_kind_check')
  await knex.raw(
    `alter table wallets.transfer add constraint transfer_kind_check check (kind in ('transfer', 'x402', 'anchor', 'settlement'))`
  )
  await knex.raw('alter table wallets.transfer drop constraint transfer_units_check')
  await knex.raw(
    `alter table wallets.transfer add constraint transfer_units_check check (units > 0 or kind in ('anchor', 'settlement') and units = 0)`
  )
}

export async function down(knex: Knex) {
  await knex.raw('alter table wallets.transfer drop constraint transfer_kind_check')
  await knex.raw(
    `alter table wallets.transfer add constraint transfer_kind_check check (kind in ('transfer', 'x402', 'anchor'))`
  )
  await knex.raw('alter table wallets.transfer drop constraint transfer_units_check')
  await knex.raw(
    `alter table wallets.transfer add constraint transfer_units_check check (units > 0 or kind = 'anchor' and units = 0)`
  )
  await knex.schema.withSchema('wallets').dropTable('charge')
}
