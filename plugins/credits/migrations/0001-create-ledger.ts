import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Of a person, or of the platform: what is issued, earned and absorbed comes from and goes to accounts of its own.
  await knex.raw(`
    create table credits.account (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      kind text not null check (kind in ('person', 'issued', 'earned', 'absorbed')),
      balance bigint not null default 0,
      reserved bigint not null default 0,
      "createdAt" timestamptz not null default now(),
      primary key (project, id),
      check (reserved >= 0),
      check (kind <> 'person' or balance >= reserved)
    )`)
  await knex.raw('create index on credits.account (id)')
  await knex.raw('create unique index on credits.account (project, owner, kind)')
  // Why entries were made. "key" is what it was made for: there is never another one for the same.
  await knex.raw(`
    create table credits.transaction (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      kind text not null check (kind in ('usage', 'grant', 'debit', 'gift', 'campaign', 'topup')),
      key text collate "C" not null,
      digest text,
      actor text not null,
      reason text,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on credits.transaction (id)')
  await knex.raw('create unique index on credits.transaction (project, key)')
  await knex.raw(`
    create table credits.entry (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "transactionId" text collate "C" not null,
      "accountId" text collate "C" not null,
      amount bigint not null check (amount <> 0),
      balance bigint not null,
      kind text not null,
      reason text,
      counterparty text,
      "agentId" text collate "C",
      "sessionId" text collate "C",
      "runId" text collate "C",
      "modelProvider" text,
      "modelId" text,
      "toolName" text,
      quantity jsonb,
      price jsonb,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on credits.entry (id)')
  await knex.raw('create index on credits.entry (project, "transactionId")')
  await knex.raw('create index on credits.entry (project, "accountId", id)')
  // What a run, or a call outside of runs, may still cost. Those that are settled stay for a while, without an amount.
  await knex.raw(`
    create table credits.reservation (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "accountId" text collate "C" not null,
      amount bigint not null check (amount >= 0),
      calls bigint not null default 0 check (calls between 0 and amount),
      caps text[] not null default '{}',
      "agentId" text collate "C",
      "sessionId" text collate "C",
      "isRun" boolean not null,
      "createdAt" timestamptz not null default now(),
      "settledAt" timestamptz,
      primary key (project, id),
      check ("settledAt" is null or amount = 0)
    )`)
  await knex.raw('create index on credits.reservation (id)')
  await knex.raw(`create index on credits.reservation (project, "accountId") where "settledAt" is null`)

  await knex.raw(`
    create function credits.check_sum() returns trigger language plpgsql as $$
    declare total numeric;
    begin
      select sum(amount) into total from credits.entry
        where project = new.project and "transactionId" = new."transactionId";
      if total <> 0 then
        raise exception 'transaction % of the ledger sums to %', new."transactionId", total
          using errcode = 'check_violation';
      end if;
      return null;
    end $$`)
  await knex.raw(`
    create constraint trigger sums_to_zero after insert on credits.entry
      deferrable initially deferred for each row execute function credits.check_sum()`)
  await knex.raw(`
    create function credits.keep() returns trigger language plpgsql as $$
    begin
      raise exception 'the ledger is only ever added to' using errcode = 'integrity_constraint_violation';
    end $$`)
  for (const table of ['transaction', 'entry'])
    await knex.raw(`
      create trigger append_only before update or delete or truncate on credits.${table}
        for each statement execute function credits.keep()`)
}

export async function down(knex: Knex) {
  for (const table of ['reservation', 'entry', 'transaction', 'account'])
    await knex.schema.withSchema('credits').dropTable(table)
  await knex.raw('drop function credits.keep()')
  await knex.raw('drop function credits.check_sum()')
}
