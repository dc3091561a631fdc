import type { FastifyRequest } from 'fastify'
import type { Knex } from 'knex'
import type { Static, TObject, TOptional, TProperties, TSchema } from 'typebox'
import { Type } from 'typebox'
import { invalid } from './errors.ts'
import { typeOfId } from './ids.ts'

/** The body of a reply with one thing in it. */
export const Data = <T extends TSchema>(schema: T) => Type.Object({ data: schema })

/** The body of a reply with a page of things, newest first. */
export const Page = <T extends TSchema>(schema: T) =>
  Type.Object({
    data: Type.Array(schema),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Opaque; null on the last page' })
  })

/** The schema, or null: what is not set is shown as null rather than left out. */
export const OrNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** A moment, as ISO 8601. */
export const Time = Type.String({ format: 'date-time' })

/** The query names of every list. Spread into the query schema of a list that has more of them. */
export const Paging = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Things a page' })),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`nextCursor` of the page before' }))
}
export type Paging = Static<TObject<typeof Paging>>

/** The reply of every DELETE. */
export const Deleted = Data(
  Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { title: 'Deleted' })
)

/**
 * The body of PUT and PATCH: the writable fields, all optional. The resource's other fields are accepted and
 * dropped, so that a client may send back what it got; anything else is 400.
 */
export function Changes<T extends TProperties, K extends keyof T & string>(
  resource: TObject<T>,
  writable: readonly K[]
): TObject<{ [P in K]: TOptional<T[P]> }> {
  const properties: Record<string, TSchema> = {}
  for (const name of Object.keys(resource.properties)) {
    const schema = resource.properties[name] as TSchema
    properties[name] = (writable as readonly string[]).includes(name)
      ? Type.Optional(schema)
      : Type.Optional(Type.Unknown({ readOnly: true, description: 'Accepted and ignored' }))
  }
  const title = (resource as { title?: string }).title
  return Type.Object(properties, {
    additionalProperties: false,
    ...(title && { title: `${title}Changes` })
  }) as never
}

/** The version of an `If-Match` header, if the request has one that names a version; `*` names none. */
export function ifMatch(request: FastifyRequest): number | undefined {
  const value = request.headers['if-match']
  if (value === undefined || value === '*') return undefined
  const version = /^"(\d{1,9})"$/.exec(value)?.[1]
  if (version === undefined) throw invalid('if-match', 'If-Match must be a quoted version, as in ETag')
  return Number(version)
}

/**
 * One page of a query, newest first: by `id`, which is time-ordered. The cursor holds the last id that was
 * sent; 400 for one that was made up or is of another list.
 */
export async function paginate<T extends { id: string }>(
  query: Knex.QueryBuilder,
  { limit = 20, cursor }: Paging
): Promise<{ data: T[]; nextCursor: string | null }> {
  const after = cursor === undefined ? undefined : idOfCursor(cursor)
  const whole = query.clone()
  if (after !== undefined) query.where('id', '<', after)
  const rows = (await query.orderBy('id', 'desc').limit(limit + 1)) as T[]
  if (after !== undefined) {
    const [any] = rows.length > 0 ? rows : ((await whole.limit(1)) as T[])
    if (any && typeOfId(any.id) !== typeOfId(after)) throw notOfThisList()
  }
  const data = rows.slice(0, limit)
  const last = rows.length > limit ? data.at(-1) : undefined
  return { data, nextCursor: last ? Buffer.from(last.id).toString('base64url') : null }
}

const notOfThisList = () => invalid('cursor', 'Not a cursor of this list')

function idOfCursor(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (typeOfId(id) === undefined || Buffer.from(id).toString('base64url') !== cursor) throw notOfThisList()
  return id
}
