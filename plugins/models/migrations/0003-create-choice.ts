import type { Knex } from 'knex'

/** A project's choice of a model was for vectors alone, and is for any modality now. */
export async function up(knex: Knex) {
  await knex.schema.withSchema('models').createTable('choice', (table) => {
    table.text('project').notNullable()
    table.text('modality').notNullable()
    table.text('owner').notNullable()
    table.text('modelProvider').notNullable()
    table.text('modelId')
    table.integer('version').notNullable().defaultTo(0)
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'modality'])
  })
  await knex.raw(`
    insert into models.choice (project, modality, owner, "modelProvider", "modelId", version, "updatedAt")
    select project, 'embedding', owner, "modelProvider", "modelId", version, "updatedAt" from models.embedding`)
  await knex.schema.withSchema('models').dropTable('embedding')
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('models').createTable('embedding', (table) => {
    table.text('project').primary()
    table.text('owner').notNullable()
    table.text('modelProvider').notNullable()
    table.text('modelId')
    table.integer('version').notNullable().defaultTo(0)
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
  })
  await knex.raw(`
    insert into models.embedding (project, owner, "modelProvider", "modelId", version, "updatedAt")
    select project, owner, "modelProvider", "modelId", version, "updatedAt" from models.choice
    where modality = 'embedding'`)
  await knex.schema.withSchema('models').dropTable('choice')
}
