import type { Knex } from 'knex'

/** Which vectors have a row in a table of pgvector, too. */
export async function up(knex: Knex) {
  await knex.raw(`
    alter table retrieval.vector add column indexed boolean not null default false;
    create index vector_unindexed on retrieval.vector (project, collection, scope, model) where not indexed`)
}

export async function down(knex: Knex) {
  await knex.raw(`
    do $$ declare name text; begin
      for name in select relname from pg_class
        where relnamespace = 'retrieval'::regnamespace and relkind = 'r' and relname ~ '^vector_[0-9]+$'
      loop execute format('drop table retrieval.%I', name); end loop;
    end $$;
    alter table retrieval.vector drop column indexed`)
}
