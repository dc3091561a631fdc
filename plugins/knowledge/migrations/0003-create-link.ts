import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Names by which links find a document, in small letters: 0 its file's, 1 its title, 2 an alias, 3 one that it had.
  await knex.raw(`
    create table knowledge.known_name (
      project text collate "C" not null,
      "spaceId" text collate "C" not null,
      key text collate "C" not null,
      "documentId" text collate "C" not null,
      rank smallint not null,
      primary key (project, "spaceId", key, "documentId")
    )`)
  await knex.raw('create index on knowledge.known_name (project, "documentId")')
  // Links of the texts that documents have now. "toId" stays when what it names is renamed.
  await knex.raw(`
    create table knowledge.link (
      project text collate "C" not null,
      "spaceId" text collate "C" not null,
      "fromId" text collate "C" not null,
      ordinal integer not null,
      kind text not null check (kind in ('wiki', 'path')),
      target text not null,
      key text collate "C" not null,
      heading text,
      label text not null,
      "start" integer not null,
      "end" integer not null,
      "toId" text collate "C",
      primary key (project, "fromId", ordinal)
    )`)
  await knex.raw('create index on knowledge.link (project, "toId")')
  await knex.raw('create index on knowledge.link (project, "spaceId", key)')
  // Pieces of texts that are searched and cited.
  await knex.raw(`
    create table knowledge.passage (
      project text collate "C" not null,
      id text collate "C" not null,
      owner text collate "C" not null,
      "spaceId" text collate "C" not null,
      "documentId" text collate "C" not null,
      version integer not null,
      ordinal integer not null,
      heading text,
      "start" integer not null,
      "end" integer not null,
      text text not null,
      primary key (project, id)
    )`)
  await knex.raw('create index on knowledge.passage (id)')
  await knex.raw(
    'create unique index passage_of_document on knowledge.passage (project, "documentId", version, ordinal)'
  )
  await knex.raw('create index on knowledge.passage (project, "spaceId")')
}

export async function down(knex: Knex) {
  await knex.raw('drop table knowledge.passage, knowledge.link, knowledge.known_name')
}
