import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // An assistant's message has the calls that it asks for, a tool's the call that it answers; others have neither.
  await knex.raw(`
    alter table sessions.message add column "toolCalls" jsonb, add column "callId" text, add column "toolName" text,
      add column "isError" boolean`)
}

export async function down(knex: Knex) {
  await knex.raw(`delete from sessions.message where role = 'tool'`)
  await knex.raw(`alter table sessions.message drop column "toolCalls", drop column "callId", drop column "toolName",
    drop column "isError"`)
}
