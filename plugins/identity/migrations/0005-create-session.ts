import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('identity').createTable('session', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('kind').notNullable()
    table.text('name')
    table.text('credential').comment('of a browser in the console')
    table.text('browser').comment('its session at the provider')
    table.text('grantId').comment('of a program')
    table.text('client')
    table.text('chosen').comment('the project in which a program works')
    table.timestamp('authenticatedAt')
    table.timestamp('renewedAt')
    table.timestamp('expiresAt').notNullable()
    table.timestamp('createdAt').notNullable().defaultTo(knex.fn.now())
    table.primary(['project', 'id'])
    table.unique(['project', 'credential'])
    table.unique(['project', 'grantId'])
    table.index(['project', 'owner'])
    table.index(['project', 'expiresAt'])
  })
  // Browsers that are signed in stay so; when they signed in is not known, so that they confirm it before anything is changed.
  await knex.raw(
    `insert into identity.session (project, id, owner, kind, credential, browser, "expiresAt")
     select project, replace(substr(id, length('Console_') + 1), 'key_', 'session_'), owner, 'browser',
       substr(id, length('Console_') + 1), uid, "expiresAt"
     from identity.artifact where model = 'Console' and "expiresAt" is not null`
  )
  await knex.raw(`delete from identity.artifact where model = 'Console'`)
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('identity').dropTable('session')
}
