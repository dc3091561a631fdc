import type { FastifyRequest } from 'fastify'
import type { Static, TObject, TOptional, TProperties, TSchema, TStringOptions } from 'typebox'
import { Type } from 'typebox'
import { invalid } from './errors.ts'

/** The body of a reply with one thing in it. */
export const Data = <T extends TSchema>(schema: T) => Type.Object({ data: schema })

/** The body of a reply with a page of things, newest first. */
export const Page = <T extends TSchema>(schema: T) =>
  Type.Object({
    data: Type.Array(schema),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Opaque; null on the last page' })
  })

/** An object without further properties. */
export const Closed = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false })

/** The schema, or null: what is not set is shown as null rather than left out. */
export const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** On one line, without control characters, and neither begins nor ends with white space. */
const oneLine = '[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]'
export const namePattern = `^(?!\\s)(?:${oneLine}*(?!\\s)${oneLine})$`
/** What people call something: on one line, trimmed and not empty. */
export const Name = (options: TStringOptions = {}) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: namePattern, ...options })
/** A moment, as ISO 8601. */
export const Time = Type.String({ format: 'date-time' })
/** Of things that tell what they used up. */
export const Used = Type.Array(
  Type.Object(
    { meter: Type.String({ examples: ['app.cpuMs'] }), quantity: Type.String({ description: 'A decimal' }) },
    { title: 'Used' }
  ),
  { description: 'What it used up, as it is metered' }
)

/** The query names of every list. Spread into the query schema of a list that has more of them. */
export const Paging = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Maximum number of items per page' })
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`nextCursor` of the previous page' }))
}
export type Paging = Static<TObject<typeof Paging>>

/** The query names of a list that can be searched. Spread into the query schema in place of `Paging`. */
export const Searching = {
  ...Paging,
  query: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\u0000]*$',
      description: 'Part of a name or description, in upper or lower case, or a complete ID'
    })
  )
}
export type Searching = Static<TObject<typeof Searching>>

/** The reply of every DELETE. */
export const Deleted = Data(
  Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { title: 'Deleted' })
)

/**
 * The body of PUT and PATCH that merge: the writable fields, all optional. The resource's other fields are accepted and
 * dropped, so that a client may send back what it got; anything else is 400.
 */
export const Changes = <T extends TProperties, K extends keyof T & string>(
  resource: TObject<T>,
  writable: readonly K[]
): TObject<{ [P in K]: TOptional<T[P]> }> => body(resource, writable, 'Changes', Type.Optional) as never

/** The body of a PUT that replaces: the writable fields, as the resource requires them, and the others as in `Changes`. */
export const Replacement = <T extends TProperties, K extends keyof T & string>(
  resource: TObject<T>,
  writable: readonly K[]
): TObject<{ [P in K]: T[P] }> => body(resource, writable, 'Replacement', (schema) => schema) as never

function body(
  { properties, ...resource }: TObject,
  writable: readonly string[],
  suffix: string,
  given: (schema: TSchema) => TSchema
): TObject {
  const { title } = resource as { title?: string }
  const dropped = () => Type.Optional(Type.Unknown({ readOnly: true, description: 'Accepted and ignored' }))
  const fields = Object.entries(properties).map(([name, schema]) => [
    name,
    writable.includes(name) ? given(schema) : dropped()
  ])
  return Type.Object(Object.fromEntries(fields), {
    additionalProperties: false,
    ...(title && { title: `${title}${suffix}` })
  })
}

/** The version of an `If-Match` header, if the request has one that names a version; `*` names none. */
export function ifMatch(request: FastifyRequest): number | undefined {
  const value = request.headers['if-match']
  if (value === undefined || value === '*') return undefined
  const version = /^"(\d{1,9})"$/.exec(value)?.[1]
  if (version === undefined) throw invalid('if-match', 'If-Match must be a quoted version, as in ETag')
  return Number(version)
}
