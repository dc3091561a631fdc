import { invalid, pointerToken } from 'agent-platform'
import type { Comparison, Filter, Scalar } from '../stores/data-store.ts'
import { isTime } from '../stores/data-store.ts'
import { parseTime } from './times.ts'
import { checkText } from './values.ts'

const MAX_DEPTH = 5
const MAX_CONDITIONS = 50
const MAX_VALUES = 100
const MAX_TEXT = 1_024
const fieldName = /^[A-Za-z_][A-Za-z0-9_]{0,47}(?:\.[A-Za-z_][A-Za-z0-9_]{0,47}){0,3}$/
const special = /(?:^|\.)(?:__proto__|constructor|prototype)(?:\.|$)/
const comparisons: Readonly<Record<string, Comparison>> = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' }

/**
 * A filter as an app writes it, read into what stores are asked for. What is not known here is refused, so no operator of
 * a database gets through, and every value is compared with as it is.
 */
export function parseFilter(source: unknown, param: string): Filter {
  let conditions = 0
  const some = (at: string) => {
    if (++conditions > MAX_CONDITIONS) throw invalid(at, `A filter has at most ${MAX_CONDITIONS} conditions`)
  }

  function parse(filter: unknown, at: string, depth: number): Filter {
    if (depth > MAX_DEPTH) throw invalid(at, `A filter is at most ${MAX_DEPTH} levels deep`)
    const all = Object.entries(objectOf(filter, at)).map(([name, value]): Filter => {
      const place = `${at}/${pointerToken(name)}`
      some(place)
      if (name === '$and') return { all: parseList(value, place, depth) }
      if (name === '$or') return { any: parseList(value, place, depth) }
      if (name === '$not') return { not: parse(value, place, depth + 1) }
      if (!fieldName.test(name) || special.test(name))
        throw invalid(place, 'Neither $and, $or, $not nor the name of a field')
      return parseField(name, value, place)
    })
    return all.length === 1 ? (all[0] as Filter) : { all }
  }

  function parseList(value: unknown, at: string, depth: number): Filter[] {
    if (!Array.isArray(value) || value.length === 0) throw invalid(at, `${at} has to be a list of filters`)
    return value.map((filter, index) => parse(filter, `${at}/${index}`, depth + 1))
  }

  function parseField(field: string, value: unknown, at: string): Filter {
    if (typeof value !== 'object' || value === null)
      return { field, op: 'eq', value: operandOf(field, value, at) }
    const all = Object.entries(objectOf(value, at)).map(([operator, operand]): Filter => {
      const place = `${at}/${pointerToken(operator)}`
      some(place)
      return parseTest(field, operator, operand, place)
    })
    if (all.length === 0) throw invalid(at, `${at} has to have an operator`)
    return all.length === 1 ? (all[0] as Filter) : { all }
  }

  function parseTest(field: string, operator: string, operand: unknown, at: string): Filter {
    const op = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined
    if (op !== undefined) {
      const value = operandOf(field, operand, at)
      if (typeof value !== 'string' && typeof value !== 'number')
        throw invalid(at, `${at} has to be a number or text`)
      return { field, op, value }
    }
    switch (operator) {
      case '$eq':
        return { field, op: 'eq', value: operandOf(field, operand, at) }
      case '$ne':
        return { not: { field, op: 'eq', value: operandOf(field, operand, at) } }
      case '$in':
        if (!Array.isArray(operand) || operand.length > MAX_VALUES)
          throw invalid(at, `${at} has to be a list of at most ${MAX_VALUES} values`)
        return { field, op: 'in', value: operand.map((it, index) => operandOf(field, it, `${at}/${index}`)) }
      case '$exists':
        if (typeof operand !== 'boolean') throw invalid(at, `${at} has to be true or false`)
        return { field, op: 'exists', value: operand }
      case '$prefix':
        if (isTime(field)) throw invalid(at, `${field} is compared by $gte and $lt, not by $prefix`)
        if (typeof operand !== 'string') throw invalid(at, `${at} has to be text`)
        return { field, op: 'prefix', value: String(scalarOf(operand, at)) }
      case '$not':
        return { not: parseField(field, objectOf(operand, at), at) }
      default:
        throw invalid(at, `Operators are $eq, $ne, $in, $gt, $gte, $lt, $lte, $exists, $prefix and $not`)
    }
  }

  return parse(source, param, 1)
}

function objectOf(value: unknown, at: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw invalid(at, `${at} has to be an object`)
}

/** What that field is compared with; times in the one form that documents show. */
function operandOf(field: string, value: unknown, at: string): Scalar {
  if (!isTime(field)) return scalarOf(value, at)
  const time = parseTime(value)
  if (time === undefined) throw invalid(at, `${at} has to be a time such as 2026-01-31T09:00:00Z, or a date`)
  return time
}

function scalarOf(value: unknown, at: string): Scalar {
  if (typeof value === 'string') {
    if (value.length > MAX_TEXT) throw invalid(at, `${at} has more than ${MAX_TEXT} characters`)
    return checkText(value, at)
  }
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw invalid(at, `${at} has to be text, a number, true, false or null`)
}
