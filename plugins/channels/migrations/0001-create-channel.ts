import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(`
    create table channels.channel (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      kind text not null,
      state text not null,
      account text,
      reason text,
      config jsonb not null,
      sealed text,
      access text not null,
      "pairHash" bytea,
      "pairEndsAt" timestamptz,
      "connectedAt" timestamptz,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on channels.channel (id)')
  await knex.raw('create unique index channel_of_agent on channels.channel (project, "agentId", kind)')
  await knex.raw(`
    create table channels.conversation (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "channelId" text collate "C" not null,
      external text not null,
      paired boolean not null,
      "sessionId" text,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on channels.conversation (id)')
  await knex.raw(
    'create unique index conversation_of_channel on channels.conversation (project, "channelId", external)'
  )
  await knex.raw('create index conversation_of_agent on channels.conversation (project, "agentId")')
  await knex.raw(`
    create table channels.message (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "channelId" text collate "C" not null,
      "conversationId" text collate "C" not null,
      external text,
      sender text,
      text text not null,
      status text not null,
      "runId" text collate "C",
      tries integer not null default 0,
      reason text,
      "createdAt" timestamptz not null default now(),
      "endedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on channels.message (id)')
  await knex.raw(
    'create unique index message_once on channels.message (project, "channelId", external) where external is not null'
  )
  await knex.raw('create index message_of_agent on channels.message (project, "agentId")')
  await knex.raw(
    'create index message_of_run on channels.message (project, "runId") where "runId" is not null'
  )
  await knex.raw(
    `create index message_open on channels.message (project, "conversationId", id) where status in ('received', 'running', 'sending')`
  )
  await knex.raw('create index message_by_time on channels.message (project, "createdAt")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table channels.message')
  await knex.raw('drop table channels.conversation')
  await knex.raw('drop table channels.channel')
}
