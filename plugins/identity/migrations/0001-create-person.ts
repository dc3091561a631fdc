import type { Knex } from 'knex'

export async function up(knex: Knex) {
  const schema = knex.schema.withSchema('identity')
  await schema
    .createTable('person', (table) => {
      common(table)
      table.text('email').notNullable()
      table.text('name').notNullable()
      table.text('passwordHash')
      table.boolean('isOperator').notNullable().defaultTo(false)
      table.timestamp('disabledAt')
      table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
      table.unique(['project', 'email'])
    })
    .createTable('invitation', (table) => {
      common(table)
      table.text('email').notNullable()
      table.text('role')
      table.boolean('isOperator').notNullable().defaultTo(false)
      table.specificType('secretHash', 'bytea').notNullable()
      table.timestamp('expiresAt').notNullable()
      table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    })
    .createTable('project', (table) => {
      common(table)
      table.text('name').notNullable()
      table.text('environment').notNullable()
      table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    })
    .createTable('member', (table) => {
      common(table)
      table.text('role').notNullable()
      table.integer('version').notNullable().defaultTo(1)
      table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
      table.timestamp('updatedAt').notNullable().defaultTo(knex.fn.now())
      table.unique(['project', 'owner'])
    })
    .createTable('project_key', (table) => {
      common(table)
      table.index(['project', 'owner'])
    })
    .createTable('artifact', (table) => {
      common(table)
      table.text('model').notNullable()
      table.text('sealed').notNullable()
      table.text('grantId')
      table.text('uid')
      table.specificType('userCodeHash', 'bytea')
      table.timestamp('consumedAt')
      table.timestamp('expiresAt')
      table.index(['project', 'grantId'])
      table.index(['project', 'uid'])
      table.index(['project', 'userCodeHash'])
      table.index(['project', 'owner'])
      table.index(['project', 'expiresAt'])
    })
    .createTable('grant_project', (table) => {
      common(table)
      table.text('chosen').notNullable()
    })
    .createTable('signing_key', (table) => {
      common(table)
      table.jsonb('publicKey').notNullable()
      table.text('sealed').notNullable()
      table.timestamp('usableAt').notNullable()
    })
}

/** What every table has: people are of no project, and their rows lie in the one that is there from the start. */
function common(table: Knex.CreateTableBuilder) {
  table.text('project').notNullable()
  table.text('id').notNullable().index()
  table.text('owner').notNullable()
  table.primary(['project', 'id'])
}

export async function down(knex: Knex) {
  for (const table of [
    'signing_key',
    'grant_project',
    'artifact',
    'project_key',
    'member',
    'project',
    'invitation',
    'person'
  ])
    await knex.schema.withSchema('identity').dropTable(table)
}
