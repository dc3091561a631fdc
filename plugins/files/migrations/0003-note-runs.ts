import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('alter table files.file add column "runId" text collate "C"')
  await knex.raw('create index on files.file (project, "runId") where "runId" is not null')
}

export async function down(knex: Knex) {
  await knex.raw('alter table files.file drop column "runId"')
}
