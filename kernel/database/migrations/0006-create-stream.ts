import type { Knex } from 'knex'

// `writer` is a number that each writer draws: after a lost connection it tells a writer's own chunk, that was
// committed after all, from one of the writer that took the stream over.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table kernel.stream_chunk (
      project text collate "C" not null,
      stream text collate "C" not null,
      seq integer not null,
      last integer not null,
      ended boolean not null,
      writer integer not null,
      body text not null,
      primary key (project, stream, seq)
    )`)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table kernel.stream_chunk')
}
