import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table webhooks.webhook (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      url text not null,
      types jsonb not null,
      description text,
      active boolean not null,
      scope text not null,
      -- Sealed.
      secret text not null,
      "previousSecret" text,
      "previousSecretUntil" timestamptz,
      "failingSince" timestamptz,
      "disabledAt" timestamptz,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index webhook_id on webhooks.webhook (id)')
  await knex.raw('create index webhook_owner on webhooks.webhook (project, owner, id)')

  await knex.raw(`
    create table webhooks.delivery (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "webhookId" text collate "C" not null,
      "messageId" text collate "C" not null,
      type text collate "C" not null,
      payload text not null,
      status text not null default 'pending',
      attempts integer not null default 0,
      -- Since it was sent, or sent once more.
      tries integer not null default 0,
      "nextAt" timestamptz,
      "deliveredAt" timestamptz,
      "lastStatus" integer,
      "lastError" text,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index delivery_id on webhooks.delivery (id)')
  await knex.raw('create index delivery_webhook on webhooks.delivery (project, "webhookId", id)')
  // What a fact is handled twice for is sent once.
  await knex.raw(
    'create unique index delivery_message on webhooks.delivery (project, "webhookId", "messageId")'
  )
  await knex.raw(
    `create index delivery_ended on webhooks.delivery (project, "updatedAt") where status <> 'pending'`
  )

  await knex.raw(`
    create table webhooks.attempt (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "webhookId" text collate "C" not null,
      "deliveryId" text collate "C" not null,
      at timestamptz not null,
      milliseconds integer not null,
      status integer,
      error text,
      reply text,
      primary key (project, id)
    )`)
  await knex.raw('create index attempt_id on webhooks.attempt (id)')
  await knex.raw('create index attempt_delivery on webhooks.attempt (project, "deliveryId", id)')
  await knex.raw('create index attempt_webhook on webhooks.attempt (project, "webhookId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table webhooks.attempt')
  await knex.raw('drop table webhooks.delivery')
  await knex.raw('drop table webhooks.webhook')
}
