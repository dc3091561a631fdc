import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema
    .withSchema('kernel')
    .createTable('pack', (table) => {
      table.text('name').primary()
      table.boolean('enabled')
      table.jsonb('settings').notNullable().defaultTo('{}')
      table.text('digest')
    })
    .createTable('pack_instance', (table) => {
      table.integer('instance').notNullable()
      table.text('pack').notNullable()
      table.text('status').notNullable()
      table.text('digest')
      table.text('reason')
      table.timestamp('at').notNullable().defaultTo(knex.fn.now())
      table.primary(['instance', 'pack'])
    })
    .createTable('pack_change', (table) => {
      table.text('id').primary()
      table.timestamp('at').notNullable().defaultTo(knex.fn.now())
      table.text('actor').notNullable()
      table.integer('instance')
      table.text('pack').notNullable()
      table.text('action').notNullable()
      table.text('outcome').notNullable()
      table.text('reason')
      table.text('fromDigest')
      table.text('toDigest')
      table.jsonb('migrations').notNullable()
      table.double('buildMs')
      table.integer('drained')
      table.integer('dropped')
      table.jsonb('before')
      table.jsonb('after')
    })
    .createTable('choice', (table) => {
      table.text('project').notNullable()
      table.text('point').notNullable()
      table.text('key').notNullable()
      table.primary(['project', 'point'])
    })
}

export async function down(knex: Knex) {
  await knex.schema
    .withSchema('kernel')
    .dropTable('choice')
    .dropTable('pack_change')
    .dropTable('pack_instance')
    .dropTable('pack')
}
