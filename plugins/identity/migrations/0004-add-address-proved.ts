import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw('alter table identity.person add column "addressProvedAt" timestamptz')
  await knex.raw(
    `update identity.person person set "addressProvedAt" = now()
     where exists (select 1 from identity.account where account.project = person.project and account.owner = person.id)`
  )
  // Of several accounts at one provider the first is the person's: an address that was given to another there came later.
  await knex.raw(
    `delete from identity.account later using identity.account first
     where later.project = first.project and later.owner = first.owner and later.issuer = first.issuer
       and (later."createdAt", later.id) > (first."createdAt", first.id)`
  )
  await knex.schema.withSchema('identity').alterTable('account', (table) => {
    table.unique(['project', 'owner', 'issuer'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('identity').alterTable('account', (table) => {
    table.dropUnique(['project', 'owner', 'issuer'])
  })
  await knex.raw('alter table identity.person drop column "addressProvedAt"')
}
