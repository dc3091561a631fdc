import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "owner" is the author's, who may have left the space since.
  await knex.raw(`
    create table spaces.message (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "spaceId" text collate "C" not null,
      "memberId" text collate "C" not null,
      "authorType" text collate "C" not null,
      "authorId" text collate "C" not null,
      "authorName" text not null,
      content text,
      "replyToId" text collate "C",
      attachments jsonb not null,
      mentions jsonb not null,
      reactions jsonb not null default '[]',
      "runId" text collate "C",
      "rootId" text collate "C" not null,
      turn integer not null,
      key text collate "C",
      words tsvector generated always as (to_tsvector('simple', coalesce(content, ''))) stored,
      version integer not null default 1,
      "createdAt" timestamptz not null default now(),
      "updatedAt" timestamptz not null default now(),
      "deletedAt" timestamptz,
      primary key (project, id)
    )`)
  await knex.raw('create index on spaces.message (id)')
  await knex.raw('create index message_of_space on spaces.message (project, "spaceId", id)')
  await knex.raw('create unique index message_key on spaces.message (project, key) where key is not null')
  await knex.raw('create index message_words on spaces.message using gin (words)')
  // What a message said before it was edited.
  await knex.raw(`
    create table spaces.revision (
      project text collate "C" not null,
      "messageId" text collate "C" not null,
      version integer not null,
      "spaceId" text collate "C" not null,
      content text not null,
      "createdAt" timestamptz not null,
      primary key (project, "messageId", version)
    )`)
  await knex.raw('create index revision_of_space on spaces.revision (project, "spaceId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table spaces.revision, spaces.message')
}
