import type { Knex } from 'knex'

/** What was taken of each limit in its present window, in the shape that rate-limiter-flexible writes. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.withSchema('kernel').createTable('allowance', (table) => {
    table.text('key').primary()
    table.integer('points').notNullable().defaultTo(0)
    table.bigInteger('expire').comment('Milliseconds since 1970')
  })
  // Rows are rewritten over and over: room for that on their own page.
  await knex.raw('alter table kernel.allowance set (fillfactor = 50)')
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.withSchema('kernel').dropTable('allowance')
}
