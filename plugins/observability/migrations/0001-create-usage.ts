import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // One call of a model or a tool. "runId" is empty for what no run called; "key" tells it from the others of its run;
  // "cost" is in millionths of a credit.
  await knex.raw(`
    create table observability.call (
      project text collate "C" not null,
      "runId" text collate "C" not null,
      key text collate "C" not null,
      owner text collate "C" not null,
      "agentId" text collate "C" not null,
      "sessionId" text collate "C",
      kind text not null check (kind in ('model', 'tool')),
      provider text not null,
      name text not null,
      "inputTokens" bigint not null default 0,
      "cachedTokens" bigint not null default 0,
      "outputTokens" bigint not null default 0,
      cost bigint,
      milliseconds bigint,
      "isError" boolean not null default false,
      at timestamptz not null,
      primary key (project, "runId", key)
    )`)
  await knex.raw('create index on observability.call (project, "agentId", at)')
  await knex.raw('create index on observability.call (project, "sessionId") where "sessionId" is not null')
  // What is old is found by it, in all projects at once.
  await knex.raw('create index on observability.call using brin (at)')
  // Their sums, a day of UTC each, which stay.
  await knex.raw(`
    create table observability.day (
      project text collate "C" not null,
      "agentId" text collate "C" not null,
      day date not null,
      kind text not null,
      provider text collate "C" not null,
      name text collate "C" not null,
      owner text collate "C" not null,
      calls bigint not null,
      errors bigint not null,
      unpriced bigint not null,
      "inputTokens" bigint not null,
      "cachedTokens" bigint not null,
      "outputTokens" bigint not null,
      cost bigint not null,
      milliseconds bigint not null,
      primary key (project, "agentId", day, kind, provider, name, owner)
    ) with (fillfactor = 70)`)
  await knex.raw('create index on observability.day (project, owner, day)')
}

export async function down(knex: Knex) {
  await knex.raw('drop table observability.day')
  await knex.raw('drop table observability.call')
}
