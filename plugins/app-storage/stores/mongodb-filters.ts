import type { Document } from 'mongodb'
import type { Filter, Query, Scalar } from './data-store.ts'
import { columns, isColumn, isTime } from './data-store.ts'

/**
 * A condition on documents of items. Values stand beside an operator that is named here, so none of them can be one, and
 * fields are below `value`, or columns.
 */
export function conditionOf(filter: Filter): Document {
  if ('all' in filter) return filter.all.length === 0 ? {} : { $and: filter.all.map(conditionOf) }
  if ('any' in filter) return filter.any.length === 0 ? { $nor: [{}] } : { $or: filter.any.map(conditionOf) }
  if ('not' in filter) return { $nor: [conditionOf(filter.not)] }
  const { field } = filter
  const path = pathOf(field)
  switch (filter.op) {
    case 'prefix':
      return { [path]: { $regex: `^${filter.value.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')}` } }
    case 'exists':
      return { [path]: { $exists: filter.value } }
    case 'in':
      return { [path]: { $in: filter.value.map((value) => operandOf(field, value)) } }
    default:
      return { [path]: { [`$${filter.op}`]: operandOf(field, filter.value) } }
  }
}

const pathOf = (field: string) => (isColumn(field) ? columns[field] : `value.${field}`)
const operandOf = (field: string, value: Scalar) =>
  isTime(field) && typeof value === 'string' ? new Date(value) : value

const comparable = ['int', 'long', 'double', 'decimal', 'string', 'bool']

/** What follows the condition: sorts, and begins after the last item of the page before. */
export function sorting({ by, order, after, limit }: Query): Document[] {
  const sign = order === 'asc' ? '$gt' : '$lt'
  const way = order === 'asc' ? 1 : -1
  if (by === undefined)
    return [
      ...(after ? [{ $match: { key: { [sign]: after.key } } }] : []),
      { $sort: { key: way } },
      { $limit: limit }
    ]
  const field = `$${pathOf(by)}`
  const rank = isColumn(by) ? field : { $cond: [{ $in: [{ $type: field }, comparable] }, field, null] }
  const last = { $literal: operandOf(by, after?.value ?? null) }
  const beyond = after && {
    $or: [
      { [sign]: ['$rank', last] },
      {
        $and: [{ $eq: ['$rank', last] }, { [sign]: ['$key', { $literal: after.key }] }]
      }
    ]
  }
  return [
    { $set: { rank } },
    ...(beyond ? [{ $match: { $expr: beyond } }] : []),
    { $sort: { rank: way, key: way } },
    { $limit: limit }
  ]
}
