import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { Type } from 'typebox'
import { invalid, notFound } from '../contract/errors.ts'
import { explain, FIRST_YEAR, LAST_YEAR } from './explain.ts'

type Json = Record<string, unknown>
type Schema = Json & { properties?: Record<string, Schema>; readOnly?: boolean }

/** The query of a route that has none. */
export const EmptyQuery = Type.Object({})
/** The body of a route that has none: nothing, or an empty object. */
export const EmptyBody = Type.Union([Type.Null(), Type.Object({})])

/** Bodies are taken as they are; queries and parameters are text, and so are coerced. */
const options = { useDefaults: true, strict: false, verbose: true }
const forBodies = new Ajv(options)
const forText = new Ajv({ ...options, coerceTypes: 'array' })
for (const ajv of [forBodies, forText]) {
  formats.default(ajv)
  const time = ajv.formats['date-time'] as { validate(text: string): boolean }
  ajv.addFormat('date-time', { validate: (text: string) => time.validate(text) && isMoment(text) })
}

/**
 * Of the moments that RFC 3339 can say, those that JavaScript and a database have alike: no leap second, and a year of four
 * digits in UTC, also after some days or years were added or taken away.
 */
function isMoment(text: string): boolean {
  const year = new Date(text).getUTCFullYear()
  return year >= FIRST_YEAR && year <= LAST_YEAR
}

/**
 * Objects of known properties admit no others unless they say so. Parts of an `allOf` are left open, since
 * each sees the whole object.
 */
export function closed(schema: Schema): Schema {
  const copy: Schema = { ...schema }
  if (schema.properties) {
    copy.properties = mapValues(schema.properties, closed)
    if (!('additionalProperties' in schema)) copy.additionalProperties = false
  }
  for (const key of ['items', 'additionalProperties'])
    if (isObject(schema[key])) copy[key] = closed(schema[key] as Schema)
  for (const key of ['anyOf', 'oneOf'])
    if (Array.isArray(schema[key])) copy[key] = schema[key].map((one) => closed(one as Schema))
  return copy
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const mapValues = <T>(of: Record<string, T>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value)]))

type Part = 'body' | 'querystring' | 'params' | 'headers'
type Validate = (value: unknown) => { error: Error } | { value: unknown }
const validators = {
  body: new WeakMap<object, Validate>(),
  querystring: new WeakMap<object, Validate>(),
  params: new WeakMap<object, Validate>(),
  headers: new WeakMap<object, Validate>()
}

/** Compiled once a schema and http part, for as long as the schema lives: a new generation costs no Ajv. */
export const validatorCompiler: FastifySchemaCompiler<Schema> = ({ schema, httpPart }) => {
  const part = httpPart as Part
  const validate = validators[part].get(schema) ?? compile(schema, part)
  validators[part].set(schema, validate)
  return validate as never
}

function compile(schema: Schema, part: Part): Validate {
  const ajv = part === 'body' ? forBodies : forText
  const exact = part === 'headers' ? { ...schema } : closed(schema)
  const check: ValidateFunction = ajv.compile(exact)
  // Ajv would keep it for as long as the process lives, the schemas of old versions too.
  ajv.removeSchema(exact)
  const dropped = Object.entries(schema.properties ?? {}).flatMap(([name, { readOnly }]) =>
    readOnly ? name : []
  )
  return (value) => {
    const input = part === 'body' && value === undefined ? null : value
    if (!check(input)) return { error: failure(check.errors ?? [], part) }
    if (part !== 'body') refuseOdd(input as Json, part)
    for (const name of dropped) delete (input as Json)[name]
    return { value: input }
  }
}

/** PostgreSQL has no text with NUL in it, so that no path leads there; and `1e400` is coerced to infinity. */
function refuseOdd(values: Json, part: Part) {
  for (const name in values)
    for (const value of [values[name]].flat()) {
      if (typeof value === 'string' && value.includes('\0'))
        throw part === 'params' ? notFound('Resource') : invalid(name, `${name} must not contain NUL`)
      if (typeof value === 'number' && !Number.isFinite(value))
        throw invalid(name, `${name} is too large a number`)
    }
}

function failure(errors: readonly ErrorObject[], part: Part): Error {
  const { pointer, text } = explain(errors)
  const param = part === 'body' ? pointer : pointer.slice(1)
  return invalid(param, `${param || 'The body'} ${text}`)
}

/** Compiled at the first value. The schemas of a version that was mounted before are known to compile. */
export const validatorWhenNeeded: FastifySchemaCompiler<Schema> = (route) => {
  let validate: Validate | undefined
  return ((value: unknown) => (validate ??= validatorCompiler(route) as never as Validate)(value)) as never
}

const stringify = SerializerSelector()({}, {})
const serializers = new WeakMap<object, (data: unknown) => string>()

/** Compiled once a schema, likewise. */
export const serializerCompiler: FastifySerializerCompiler<object> = (route) => {
  const serialize = serializers.get(route.schema) ?? stringify(route as never)
  serializers.set(route.schema, serialize)
  return serialize
}

/** Compiled at the first reply, likewise. */
export const serializerWhenNeeded: FastifySerializerCompiler<object> = (route) => {
  let serialize: ((data: unknown) => string) | undefined
  return (data) => (serialize ??= serializerCompiler(route))(data)
}
