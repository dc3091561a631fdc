import type { Knex } from 'knex'

/** An anchor pays nothing: it writes a digest to the chain. */
export async function up(knex: Knex) {
  await knex.raw('alter table wallets.transfer drop constraint transfer_kind_check')
  await knex.raw(
    `alter table wallets.transfer add constraint transfer_kind_check check (kind in ('transfer', 'x402', 'anchor'))`
  )
  await knex.raw('alter table wallets.transfer drop constraint transfer_units_check')
  await knex.raw(
    `alter table wallets.transfer add constraint transfer_units_check check (units > 0 or kind = 'anchor' and units = 0)`
  )
}

export async function down(knex: Knex) {
  await knex.raw('alter table wallets.transfer drop constraint transfer_kind_check')
  await knex.raw(
    `alter table wallets.transfer add constraint transfer_kind_check check (kind in ('transfer', 'x402'))`
  )
  await knex.raw('alter table wallets.transfer drop constraint transfer_units_check')
  await knex.raw('alter table wallets.transfer add constraint transfer_units_check check (units > 0)')
}
