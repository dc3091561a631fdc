import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Hash of the secret in the cookie of the browser that made the request; null if a program made it.
  await knex.raw('alter table mcp.authorization_request add "browserHash" text')
}

export async function down(knex: Knex) {
  await knex.raw('alter table mcp.authorization_request drop "browserHash"')
}
