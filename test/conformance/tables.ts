import type { Knex } from 'knex'

export interface Column {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly default: string | null
}
export interface Index {
  readonly name: string
  readonly primary: boolean
  readonly unique: boolean
  /** How it finds, such as `btree`. */
  readonly method: string
  /** In their order; an expression as its text. */
  readonly columns: readonly string[]
  readonly where: string | null
}
export interface Constraint {
  readonly name: string
  readonly kind: 'check' | 'foreign key' | 'other'
  readonly text: string
  /** The schema that a foreign key points into. */
  readonly into: string | null
}
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly indexes: readonly Index[]
  /** Beside those that are indexes. */
  readonly constraints: readonly Constraint[]
}

/** The tables of one schema, by name. */
export async function readTables(knex: Knex, schema: string): Promise<readonly Table[]> {
  const { rows } = await knex.raw(
    `select c.relname as name,
       (select coalesce(json_agg(json_build_object(
           'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'nullable', not a.attnotnull,
           'default', coalesce(pg_get_expr(d.adbin, d.adrelid), case when a.attidentity <> '' then 'identity' end)
         ) order by a.attnum), '[]')
         from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
       (select coalesce(json_agg(json_build_object(
           'name', k.relname, 'method', m.amname, 'primary', i.indisprimary, 'unique', i.indisunique,
           'where', pg_get_expr(i.indpred, i.indrelid),
           'columns', (select json_agg(coalesce(a.attname, pg_get_indexdef(i.indexrelid, n::int, true)) order by n)
             from unnest(i.indkey) with ordinality as at (number, n)
             left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = at.number and at.number > 0)
         ) order by not i.indisprimary, k.relname), '[]')
         from pg_index i join pg_class k on k.oid = i.indexrelid join pg_am m on m.oid = k.relam
         where i.indrelid = c.oid) as indexes,
       (select coalesce(json_agg(json_build_object(
           'name', x.conname, 'text', pg_get_constraintdef(x.oid),
           'kind', case x.contype when 'c' then 'check' when 'f' then 'foreign key' else 'other' end,
           'into', (select f.relnamespace::regnamespace::text from pg_class f where f.oid = x.confrelid)
         ) order by x.conname), '[]')
         from pg_constraint x where x.conrelid = c.oid and x.contype not in ('p', 'u', 'n')) as constraints
     from pg_class c join pg_namespace s on s.oid = c.relnamespace
     where s.nspname = ? and c.relkind in ('r', 'p') order by c.relname`,
    [schema]
  )
  return rows as Table[]
}

/** Everything that migrations could have made, in all schemas, as lines of text. */
export async function dump(knex: Knex): Promise<readonly string[]> {
  const { rows } = await knex.raw(
    `with mine as (select oid, nspname as name from pg_namespace
       where nspname !~ '^pg_' and nspname <> 'information_schema')
     select 'schema ' || name as line from mine
     union all select format('%s %s.%s %s', c.relkind, mine.name, c.relname, c.reloptions)
       from pg_class c join mine on mine.oid = c.relnamespace
     union all select format('column %s.%s.%s %s %s %s %s %s', mine.name, c.relname, a.attname,
         format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
         concat(a.attidentity, a.attgenerated, a.attstorage), col_description(c.oid, a.attnum))
       from pg_class c join mine on mine.oid = c.relnamespace and c.relkind in ('r', 'p', 'v', 'm')
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     union all select 'index ' || pg_get_indexdef(i.indexrelid)
       from pg_index i join pg_class c on c.oid = i.indrelid join mine on mine.oid = c.relnamespace
     union all select format('constraint %s %s %s', x.conrelid::regclass, x.conname, pg_get_constraintdef(x.oid))
       from pg_constraint x join mine on mine.oid = x.connamespace
     union all select 'trigger ' || pg_get_triggerdef(g.oid)
       from pg_trigger g join pg_class c on c.oid = g.tgrelid join mine on mine.oid = c.relnamespace
       where not g.tgisinternal
     union all select 'function ' || pg_get_functiondef(p.oid)
       from pg_proc p join mine on mine.oid = p.pronamespace where p.prokind in ('f', 'p')
     union all select format('type %s.%s %s', mine.name, y.typname,
         (select string_agg(e.enumlabel, ',' order by e.enumsortorder) from pg_enum e where e.enumtypid = y.oid))
       from pg_type y join mine on mine.oid = y.typnamespace
     order by 1`
  )
  return (rows as { line: string }[]).map(({ line }) => line)
}

/** What is not as in every pack. `schema` is the pack's own. */
export const tableFaults = (schema: string, table: Table): readonly string[] => {
  const names = new Set(table.columns.map(({ name }) => name))
  const at = `table ${table.name}`
  return [
    ...unless(/^[a-z]+(_[a-z]+)*$/.test(table.name), `${at} is not named in small letters`),
    ...unless(!/(?<![aeiou]s|[iu])s$/.test(table.name), `${at} is not named in the singular`),
    ...table.columns.flatMap(({ name, type }) => [
      ...unless(/^[a-z][a-zA-Z0-9]*$/.test(name), `${at}: ${name} is not camelCase`),
      ...unless(!type.includes('without time zone'), `${at}: ${name} has no time zone`)
    ]),
    ...table.constraints
      .filter(({ kind, into }) => kind === 'foreign key' && into !== schema)
      .map(({ name }) => `${at}: ${name} points into another schema`),
    ...(names.has('id') ? keyFaults(at, names, table.indexes) : []),
    ...(names.has('project')
      ? table.indexes
          // What finds words or neighbours cannot begin with another column.
          .filter(({ method }) => method === 'btree' || method === 'hash')
          .filter(({ columns }) => columns[0] !== 'project' && !isPlainId(columns))
          .map(({ name }) => `${at}: ${name} does not begin with project`)
      : [])
  ]
}

/** What is only ever listed and removed by its time is not looked for by its id, whose index would cost each write. */
const isLog = (indexes: readonly Index[]) =>
  indexes.some(({ method, columns }) => method === 'brin' && columns.join() === 'at')

const isPlainId = (columns: readonly string[]) => columns.length === 1 && columns[0] === 'id'

function keyFaults(at: string, names: ReadonlySet<string>, indexes: readonly Index[]): readonly string[] {
  const primary = indexes.find((index) => index.primary)
  const plain = indexes.filter(({ columns, unique, where }) => isPlainId(columns) && !unique && !where)
  return [
    ...unless(names.has('project'), `${at} has no project`),
    ...unless(names.has('owner'), `${at} has no owner`),
    ...unless(primary?.columns.join() === 'project,id', `${at}: the primary key is not (project, id)`),
    ...unless(plain.length === 1 || isLog(indexes), `${at} has not one plain index on id`)
  ]
}

const unless = (holds: boolean, fault: string): readonly string[] => (holds ? [] : [fault])
