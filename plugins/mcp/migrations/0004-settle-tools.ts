import type { Knex } from 'knex'

export async function up(knex: Knex) {
  // Why its parameters are of no use: examined once, since that takes time. Prompts and resources say since when.
  await knex.raw('alter table mcp.tool add fault text')
  // A tool has one id, here and in the list of tools.
  await knex.raw('update mcp.tool set id = "toolId" where id <> "toolId"')
  await knex.raw('create index tool_name_given on mcp.tool (project, "toolName")')
  for (const table of ['resource', 'prompt'])
    await knex.raw(`alter table mcp.${table} add "createdAt" timestamptz not null default now()`)
}

export async function down(knex: Knex) {
  for (const table of ['prompt', 'resource']) await knex.raw(`alter table mcp.${table} drop "createdAt"`)
  await knex.raw('drop index mcp.tool_name_given')
  await knex.raw('alter table mcp.tool drop fault')
}
