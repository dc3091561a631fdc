import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Who buys. "revision" counts what was written of theirs: what was read before another change is not written over it.
  await knex.raw(`
    create table billing.customer (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      revision integer not null default 0,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on billing.customer (id)')
  await knex.raw('create unique index on billing.customer (project, owner)')
  // By which name a provider knows them: "id" is <provider>:<name>.
  await knex.raw(`
    create table billing.provider_customer (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      provider text not null,
      primary key (project, id)
    )`)
  await knex.raw('create index on billing.provider_customer (id)')
  await knex.raw('create unique index on billing.provider_customer (project, owner, provider)')
  // Versions of plans that somebody bought, whatever the settings say by now.
  await knex.raw(`
    create table billing.plan (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      terms jsonb not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on billing.plan (id)')
  await knex.raw(`
    create table billing.subscription (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      provider text not null,
      "providerId" text collate "C" not null,
      "planId" text not null,
      "nextPlanId" text,
      status text not null check (status in ('trialing', 'active', 'past_due', 'canceled')),
      "anchorAt" timestamptz not null,
      "trialEndsAt" timestamptz,
      "currentPeriodStart" timestamptz not null,
      "currentPeriodEnd" timestamptz not null,
      "cancelAtPeriodEnd" boolean not null,
      "canceledAt" timestamptz,
      "pastDueSince" timestamptz,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on billing.subscription (id)')
  await knex.raw('create unique index on billing.subscription (project, provider, "providerId")')
  await knex.raw('create index on billing.subscription (project, owner, id)')
  await knex.raw(
    `create index on billing.subscription (project, "currentPeriodEnd") where status <> 'canceled'`
  )
  await knex.raw(`
    create table billing.invoice (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      provider text not null,
      "providerId" text collate "C" not null,
      "paymentId" text collate "C",
      status text not null check (status in ('open', 'paid', 'void', 'uncollectible')),
      reason text not null,
      description text not null,
      amount integer not null check (amount >= 0),
      currency text not null,
      "amountPaid" integer not null,
      "amountRefunded" integer not null,
      "isDisputed" boolean not null default false,
      credits text not null,
      "creditsDue" text not null default '0',
      "creditsTaken" text not null default '0',
      "subscriptionId" text collate "C",
      "planId" text,
      "packKey" text,
      "checkoutId" text collate "C",
      "periodStart" timestamptz,
      "periodEnd" timestamptz,
      "dueAt" timestamptz,
      "paidAt" timestamptz,
      url text,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id),
      check ("amountRefunded" between 0 and "amountPaid")
    )`)
  await knex.raw('create index on billing.invoice (id)')
  await knex.raw('create unique index on billing.invoice (project, provider, "providerId")')
  await knex.raw('create index on billing.invoice (project, owner, id)')
  await knex.raw(`create index on billing.invoice (project, id) where status = 'open'`)
  await knex.raw('create index on billing.invoice (project, "paymentId") where "paymentId" is not null')
  await knex.raw(`
    create table billing.checkout (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      provider text not null,
      "providerId" text collate "C",
      status text not null check (status in ('open', 'completed', 'expired')),
      "planId" text,
      "packKey" text,
      amount integer not null,
      currency text not null,
      credits text not null,
      url text,
      "invoiceId" text collate "C",
      "expiresAt" timestamptz,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on billing.checkout (id)')
  await knex.raw(`create index on billing.checkout (project, owner, id) where status = 'open'`)
}

export async function down(knex: Knex) {
  for (const table of ['checkout', 'invoice', 'subscription', 'plan', 'provider_customer', 'customer'])
    await knex.schema.withSchema('billing').dropTable(table)
}
