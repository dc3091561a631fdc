import type { Knex } from 'knex'

export async function up(knex: Knex) {
  const schema = () => knex.schema.withSchema('skills')
  await schema().createTable('skill', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('slug').notNullable()
    table.text('name').notNullable()
    table.text('description').notNullable()
    table.text('license')
    table.text('compatibility')
    table.jsonb('metadata').notNullable()
    table.jsonb('allowedTools').notNullable()
    table.jsonb('extensions').notNullable()
    table.text('instructions').notNullable()
    table.jsonb('files').notNullable()
    table.text('origin').notNullable()
    table.integer('version').notNullable().defaultTo(1)
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'slug'])
    table.index(['project', 'owner', 'id'])
  })
  // What a skill was in each of its versions, the current one among them.
  await schema().createTable('version', (table) => {
    table.text('project').notNullable()
    table.text('skillId').notNullable()
    table.integer('version').notNullable()
    table.text('owner').notNullable()
    table.jsonb('content').notNullable()
    table.timestamp('createdAt').notNullable()
    table.primary(['project', 'skillId', 'version'])
  })
  // The bytes of files, once for all versions of a skill.
  await schema().createTable('file', (table) => {
    table.text('project').notNullable()
    table.text('skillId').notNullable()
    table.text('sha256').notNullable()
    table.text('owner').notNullable()
    table.binary('content').notNullable()
    table.primary(['project', 'skillId', 'sha256'])
  })
  await schema().createTable('attachment', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('agentId').notNullable()
    table.text('skillId').notNullable()
    table.text('owner').notNullable()
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'agentId', 'skillId'])
    table.index(['project', 'skillId'])
  })
  // What the agent of a session asked for: its instructions stand in the prompts of that session from then on.
  await schema().createTable('loaded', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('sessionId').notNullable()
    table.text('skillId').notNullable()
    table.text('owner').notNullable()
    table.text('agentId').notNullable()
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'sessionId', 'skillId'])
    table.index(['project', 'agentId'])
    table.index(['project', 'skillId'])
  })
}

export async function down(knex: Knex) {
  const schema = () => knex.schema.withSchema('skills')
  for (const table of ['loaded', 'attachment', 'file', 'version', 'skill']) await schema().dropTable(table)
}
