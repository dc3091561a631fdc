import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table kernel.project (
      id text primary key,
      environment text not null check (environment in ('live', 'test')),
      scopes text[] not null,
      "createdAt" timestamptz not null default now()
    );
    create table kernel.principal (
      project text not null references kernel.project (id),
      id text not null,
      type text not null check (type in ('user', 'agent', 'service')),
      owner text not null,
      name text not null,
      "createdAt" timestamptz not null default now(),
      "disabledAt" timestamptz,
      primary key (project, id)
    );
    create index principal_id on kernel.principal (id);
    create table kernel.credential (
      project text not null,
      id text not null,
      principal text not null,
      kind text not null check (kind in ('project', 'principal', 'minted')),
      name text not null,
      prefix text not null,
      hash bytea not null unique,
      scopes text[],
      admin boolean not null default false,
      initiator text,
      "madeWith" text,
      "createdAt" timestamptz not null default now(),
      "expiresAt" timestamptz,
      "lastUsedAt" timestamptz,
      "revokedAt" timestamptz,
      primary key (project, id),
      foreign key (project, principal) references kernel.principal (project, id)
    );
    create index credential_id on kernel.credential (id);
    create index credential_principal on kernel.credential (project, principal, id);
    create index credential_made_with on kernel.credential (project, "madeWith");
    create index credential_expired on kernel.credential ("expiresAt") where kind = 'minted';
    comment on column kernel.credential.scopes is 'null: all of the project''s';
    comment on column kernel.credential.admin is 'platform:admin beside them';
    comment on column kernel.credential."madeWith" is 'credential that made it: revoked together';
  `)
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table kernel.credential, kernel.principal, kernel.project')
}
