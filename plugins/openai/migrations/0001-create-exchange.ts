import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table openai.exchange (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      kind text not null,
      "agentId" text collate "C" not null,
      "runId" text collate "C" not null,
      -- Null until its run has begun.
      "sessionId" text collate "C",
      -- The response that it goes on from in the same session.
      "continues" text collate "C",
      "previousId" text collate "C",
      -- The last event of its run that was before it.
      after integer not null default -1,
      -- What its run had used before it.
      used jsonb,
      -- Of what was asked: by which a client that sends its history again is recognised.
      digest text not null,
      -- The first call that its run waits for.
      "callId" text collate "C",
      stored boolean not null,
      asked jsonb not null,
      input jsonb,
      metadata jsonb not null default '{}',
      -- Null: it stays.
      "expiresAt" timestamptz,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index exchange_id on openai.exchange (id)')
  await knex.raw('create index exchange_run on openai.exchange (project, "runId", id)')
  await knex.raw('create index exchange_session on openai.exchange (project, "sessionId", id)')
  await knex.raw('create index exchange_agent on openai.exchange (project, "agentId")')
  await knex.raw(
    'create index exchange_call on openai.exchange (project, "callId") where "callId" is not null'
  )
  // Of two that go on from the same response, one does so in its session.
  await knex.raw(
    'create unique index exchange_continues on openai.exchange (project, "continues") where "continues" is not null'
  )
  await knex.raw(
    'create index exchange_expires on openai.exchange (project, "expiresAt") where "expiresAt" is not null'
  )

  await knex.raw(`
    create table openai.upload (
      project text collate "C" not null,
      owner text collate "C" not null,
      id text collate "C" not null,
      -- Of its bytes, its name and its type.
      digest text collate "C" not null,
      "fileId" text collate "C" not null,
      "expiresAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create unique index upload_digest on openai.upload (project, owner, digest)')
  await knex.raw('create index upload_file on openai.upload (project, "fileId")')
  await knex.raw('create index upload_id on openai.upload (id)')
  await knex.raw(
    'create index upload_expires on openai.upload (project, "expiresAt") where "expiresAt" is not null'
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop table openai.upload')
  await knex.raw('drop table openai.exchange')
}
