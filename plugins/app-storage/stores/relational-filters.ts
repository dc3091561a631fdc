import type { Knex } from 'knex'
import type { Column, Comparison, Filter, Query, Scalar } from './data-store.ts'
import { columns, isColumn } from './data-store.ts'

const signs: Readonly<Record<Comparison, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' }
type Condition = readonly [sql: string, bindings: readonly Knex.RawBinding[]]

const never: Condition = ['false', []]
const always: Condition = ['true', []]

/** A condition on rows of items. Names of fields and values are bound, never part of the statement. */
export function conditionOf(filter: Filter): Condition {
  if ('all' in filter) return joined(filter.all, ' and ', always)
  if ('any' in filter) return joined(filter.any, ' or ', never)
  if ('not' in filter) {
    const [sql, bindings] = conditionOf(filter.not)
    return [`not (${sql})`, bindings]
  }
  return isColumn(filter.field) ? ofColumn(filter.field, filter) : ofField(filter)
}

function joined(filters: readonly Filter[], by: string, empty: Condition): Condition {
  if (filters.length === 0) return empty
  const parts = filters.map(conditionOf)
  return [parts.map(([sql]) => `(${sql})`).join(by), parts.flatMap(([, bindings]) => bindings)]
}

type Test = Extract<Filter, { field: string }>

/** Any number is a version that may be asked for, also one that no integer can be. */
const types: Readonly<Record<Column, string>> = {
  id: 'text',
  version: 'numeric',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz'
}

function ofColumn(field: Column, { op, value }: Test): Condition {
  const [column, bound] = [`"${columns[field]}"`, `?::${types[field]}`]
  const isFit = (it: unknown) => typeof it === (field === 'version' ? 'number' : 'string')
  if (op === 'exists') return value ? always : never
  if (op === 'in') {
    const values = value.filter(isFit)
    return values.length === 0 ? never : [`${column} in (${values.map(() => bound).join(', ')})`, values]
  }
  if (!isFit(value)) return never
  if (op === 'prefix') return [`starts_with(${column}, ${bound})`, [value]]
  return [`${column} ${op === 'eq' ? '=' : signs[op]} ${bound}`, [value]]
}

function ofField({ field, op, value }: Test): Condition {
  const exists: Condition = ['jsonb_path_exists(value, ?::jsonpath)', [pathOf(field)]]
  if (op === 'exists') return value ? exists : [`not ${exists[0]}`, exists[1]]
  if (op === 'prefix') return matching(field, '@ starts with $v', value)
  if (op === 'eq') return value === null ? missingOrNull(field) : matching(field, '@ == $v', value)
  if (op !== 'in') return matching(field, `@ ${signs[op]} $v`, value)
  const others = value.filter((it) => it !== null)
  const found = others.length === 0 ? never : matching(field, '@ == $v[*]', others)
  if (others.length === value.length) return found
  const empty = missingOrNull(field)
  return [`(${empty[0]} or ${found[0]})`, [...empty[1], ...found[1]]]
}

const pathOf = (field: string) => ['$', ...field.split('.').map((name) => JSON.stringify(name))].join('.')

/** The field itself, or an element of it where it is a list; what cannot be compared does not match. */
function matching(field: string, test: string, value: Scalar | readonly Scalar[]): Condition {
  const path = `${pathOf(field)} ? (@.type() != "array" && ${test})`
  return [
    'coalesce(jsonb_path_exists(value, ?::jsonpath, ?::jsonb, true), false)',
    [path, JSON.stringify({ v: value })]
  ]
}

function missingOrNull(field: string): Condition {
  const [sql, bindings] = matching(field, '@ == null', null)
  return [`(not jsonb_path_exists(value, ?::jsonpath) or ${sql})`, [pathOf(field), ...bindings]]
}

/** Numbers, then text, then truth values; before them whatever is none of these. */
function rankOf(value: Scalar | undefined): readonly [rank: number, number: number, text: string] {
  if (typeof value === 'number') return [1, value, '']
  if (typeof value === 'string') return [2, 0, value]
  return typeof value === 'boolean' ? [3, Number(value), ''] : [0, 0, '']
}

const ranked = [
  `case jsonb_typeof(value #> ?::text[]) when 'number' then 1 when 'string' then 2 when 'boolean' then 3 else 0 end`,
  `case jsonb_typeof(value #> ?::text[]) when 'number' then (value #>> ?::text[])::numeric
    when 'boolean' then (value #>> ?::text[])::boolean::integer else 0 end`,
  `(case jsonb_typeof(value #> ?::text[]) when 'string' then value #>> ?::text[] else '' end) collate "C"`
]
const rankings = [1, 3, 2]

/** Sorts, and begins after the last item of the page before. */
export function sorted(query: Knex.QueryBuilder, { by, order, after, limit }: Query): Knex.QueryBuilder {
  const sign = order === 'asc' ? '>' : '<'
  if (by === undefined) {
    if (after) query.where('key', sign, after.key)
    return query.orderBy('key', order).limit(limit)
  }
  if (isColumn(by)) {
    const column = columns[by]
    if (after)
      query.whereRaw(`(??, key) ${sign} (?::${types[by]}, ?::text collate "C")`, [
        column,
        after.value ?? null,
        after.key
      ])
    return query.orderBy(column, order).orderBy('key', order).limit(limit)
  }
  const field = `{${by.split('.').join()}}`
  const bindings = rankings.map((times) => Array<string>(times).fill(field))
  if (after)
    query.whereRaw(
      `(${ranked.join(', ')}, key) ${sign} (?::integer, ?::numeric, ?::text collate "C", ?::text collate "C")`,
      [...bindings.flat(), ...rankOf(after.value), after.key]
    )
  for (const [at, sql] of ranked.entries()) query.orderByRaw(`${sql} ${order}`, bindings[at] ?? [])
  return query.orderBy('key', order).limit(limit)
}
