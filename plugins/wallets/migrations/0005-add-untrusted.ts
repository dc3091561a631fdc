import type { Knex } from 'knex'

/** Whose words it was paid for; of what the version before pays nobody knows, so it counts as of strangers. */
export async function up(knex: Knex) {
  await knex.raw('alter table wallets.transfer add column untrusted boolean not null default true')
  await knex.raw(
    `create index transfer_pending on wallets.transfer (project, "walletId") where status = 'pending'`
  )
}

export async function down(knex: Knex) {
  await knex.raw('drop index wallets.transfer_pending')
  await knex.raw('alter table wallets.transfer drop column untrusted')
}
