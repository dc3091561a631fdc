import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('identity').createTable('passkey', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('credentialId').notNullable()
    table.binary('publicKey').notNullable()
    table.bigInteger('counter').notNullable()
    table.specificType('transports', 'text[]').notNullable()
    table.boolean('isSynced').notNullable()
    table.text('name').notNullable()
    table.timestamp('lastUsedAt')
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'credentialId'])
    table.index(['project', 'owner'])
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('identity').dropTable('passkey')
}
