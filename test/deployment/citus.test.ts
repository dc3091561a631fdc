// process: own
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../../kernel/deployment.ts'
import type { Table } from '../conformance/tables.ts'
import { readTables } from '../conformance/tables.ts'
import { database } from '../database.ts'
import { migrated } from '../migrated.ts'

/** Of pg-boss, which keeps jobs of all projects together. */
const NOT_OURS = new Set(['pgboss', 'public', 'pg_catalog', 'information_schema'])

t.test('tables can be distributed by project, as docs/citus.md has it', async (t) => {
  const text = readFileSync(join(root, 'docs/citus.md'), 'utf8')
  const told = /```text coordinator.txt\n([^`]+)```/.exec(text)?.[1]?.trim().split('\n') ?? []
  const { knex } = await database(t, migrated())
  const schemas: string[] = await knex('pg_namespace').whereRaw(`nspname !~ '^pg_'`).pluck('nspname')
  const tables = new Map<string, Table>()
  for (const schema of schemas.filter((name) => !NOT_OURS.has(name)))
    for (const table of await readTables(knex, schema)) tables.set(`${schema}.${table.name}`, table)

  /** Citus distributes no table of which a unique index lacks the column by which it does. */
  const isDistributable = ({ columns, indexes }: Table) =>
    columns.some(({ name }) => name === 'project') &&
    indexes.every(({ unique, columns }) => !unique || columns.includes('project'))
  const local = new Set(told)
  for (const name of told) t.ok(tables.has(name), `${name} is there`)
  const unfit = [...tables].filter(([, table]) => !isDistributable(table)).map(([name]) => name)
  t.same(
    unfit.filter((name) => !local.has(name)),
    [],
    'whatever cannot be distributed stays on the coordinator'
  )
  t.ok(tables.size - local.size > 150, `${tables.size - local.size} tables are distributed`)

  const { rows } = await knex.raw(
    `select c.conrelid::regclass::text as name, c.confrelid::regclass::text as into, pg_get_constraintdef(c.oid) as text
     from pg_constraint c where c.contype = 'f'`
  )
  for (const { name, into, text } of rows.filter(({ name }: { name: string }) => tables.has(name))) {
    t.equal(local.has(name), local.has(into), `${name} refers to ${into} where it lies`)
    if (!local.has(name)) t.match(text, /^FOREIGN KEY \(project, .*REFERENCES [^ ]+\(project, /)
  }
  // The statement of the document leaves out what has a project and stays all the same.
  const statement = /relkind = 'r'[^;]+;/.exec(text)?.[0] ?? ''
  for (const name of told) t.ok(statement.includes(`'${name}'`), name)
})

t.test('a place in a table is asked for beside its project, since each shard has such a place', (t) => {
  const faults = globSync('{kernel,plugins}/**/!(*.test).ts', { cwd: root }).flatMap((path) => {
    const found = readFileSync(join(root, path), 'utf8').match(/^.*\bctid (?:=|in)\b.*$/gm) ?? []
    return found.filter((line) => !/\bproject = \? and ctid\b/.test(line)).map((line) => `${path}: ${line}`)
  })
  t.same(faults, [])
  t.end()
})
