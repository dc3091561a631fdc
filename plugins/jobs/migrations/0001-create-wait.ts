import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.schema.withSchema('jobs').createTable('wait', (table) => {
    table.text('project').notNullable()
    table.text('id').notNullable().index()
    table.text('owner').notNullable()
    table.text('waiter').notNullable()
    table.text('subject').notNullable()
    table.timestamp('deadline').notNullable()
    table.timestamp('settledAt')
    table.text('outcome').checkIn(['answered', 'expired', 'abandoned'], 'wait_outcome_check')
    table.primary(['project', 'id'])
    // Only what is open is looked for: by what waits, and by the deadline.
    const predicate = knex.whereNull('settledAt')
    table.index(['project', 'subject'], 'wait_open_subject_index', { predicate })
    table.index(['project', 'deadline'], 'wait_open_deadline_index', { predicate })
  })
}

export async function down(knex: Knex) {
  await knex.schema.withSchema('jobs').dropTable('wait')
}
