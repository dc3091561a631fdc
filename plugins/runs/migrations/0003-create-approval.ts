import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // "approvalFor" is what was to be approved until "approvalDeadline", "approved" what was decided; "begun" tells a call
  // that nobody made yet from one whose outcome is unknown.
  await knex.raw(`
    alter table runs.call add column "approvalFor" text, add column "approvalDeadline" timestamptz,
      add column approved boolean, add column begun boolean not null default false`)
  // What was approved for the rest of a session.
  await knex.raw(`
    create table runs.approval (
      project text collate "C" not null,
      "sessionId" text collate "C" not null,
      "approvalFor" text collate "C" not null,
      owner text not null,
      "approvedBy" text not null,
      "createdAt" timestamptz not null default now(),
      primary key (project, "sessionId", "approvalFor")
    )`)
  // What a tool asks in the middle of a call, and what it was told; "action" is null until then.
  await knex.raw(`
    create table runs.question (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text not null,
      "runId" text collate "C" not null,
      "callId" text collate "C" not null,
      action text,
      content jsonb,
      "createdAt" timestamptz not null default now(),
      primary key (project, id)
    )`)
  await knex.raw('create index on runs.question (id)')
  await knex.raw('create index question_run on runs.question (project, "runId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table runs.question')
  await knex.raw('drop table runs.approval')
  await knex.raw(`alter table runs.call drop column "approvalFor", drop column "approvalDeadline",
    drop column approved, drop column begun`)
}
