import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // By days of UTC.
  await knex.raw(`
    create table ui_plugins.app_usage (
      project text collate "C" not null,
      "appId" text collate "C" not null,
      day date not null,
      calls bigint not null,
      "functionCalls" bigint not null,
      "cpuMs" double precision not null,
      characters bigint not null,
      "egressCalls" bigint not null,
      "egressBytes" bigint not null,
      primary key (project, "appId", day),
      foreign key (project, "appId") references ui_plugins.app (project, id) on delete cascade
    )`)
}

export async function down(knex: Knex) {
  await knex.raw('drop table ui_plugins.app_usage')
}
