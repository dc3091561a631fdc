import type { Knex } from 'knex'

export async function up(knex: Knex): Promise<void> {
  await knex.schema.withSchema('kernel').createTable('idempotency', (table) => {
    table.text('project').notNullable()
    table.binary('id').notNullable().comment('SHA-256 of principal, method, path and key')
    table.binary('digest').notNullable().comment('SHA-256 of the body')
    table.uuid('attempt').notNullable().comment('Fences off whoever was taken for dead')
    table.bigInteger('instance').comment('Who runs it; null once it has ended')
    table.boolean('applied').notNullable().defaultTo(false)
    table.smallint('status').comment('Of the stored reply')
    table.jsonb('headers')
    table.binary('body')
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('expiresAt').notNullable()
    table.primary(['project', 'id'])
    table.index(['expiresAt'])
  })
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.withSchema('kernel').dropTable('idempotency')
}
