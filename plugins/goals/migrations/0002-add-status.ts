import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('goals').alterTable('goal', (table) => {
    table.text('description')
    table.text('status').notNullable().defaultTo('open')
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.dropIndex(['project', 'agentId'])
    table.index(['project', 'agentId', 'id'])
    table.index(['project', 'owner', 'id'])
  })
  await knex('goals.goal').update({ updatedAt: knex.ref('createdAt') })
  await knex('goals.goal').where({ progress: 100 }).update({ status: 'done' })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('goals').alterTable('goal', (table) => {
    table.dropIndex(['project', 'owner', 'id'])
    table.dropIndex(['project', 'agentId', 'id'])
    table.index(['project', 'agentId'])
    table.dropColumns('description', 'status', 'updatedAt')
  })
}
