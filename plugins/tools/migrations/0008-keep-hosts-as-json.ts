import type { Knex } from 'knex'

export async function up(knex: Knex) {
  await knex.raw(
    'alter table tools.tool_key alter column "allowedHosts" type jsonb using to_jsonb("allowedHosts")'
  )
}

export async function down(knex: Knex) {
  await knex.raw('alter table tools.tool_key add hosts text[]')
  await knex.raw(`update tools.tool_key set hosts = array(select jsonb_array_elements_text("allowedHosts"))`)
  await knex.raw('alter table tools.tool_key drop "allowedHosts"')
  await knex.raw('alter table tools.tool_key rename hosts to "allowedHosts"')
  await knex.raw('alter table tools.tool_key alter column "allowedHosts" set not null')
}
