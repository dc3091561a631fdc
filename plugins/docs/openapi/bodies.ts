import { STATUS_CODES } from 'node:http'
import type { Components } from './components.ts'
import type { Side } from './example.ts'
import { exampleOf } from './example.ts'
import { failuresOf, sharedFailure } from './failures.ts'
import { isStream, repeats } from './parameters.ts'
import type { Json, ResponseSchema, Route, Schema } from './route.ts'
import { hasVersion, takesBody } from './route.ts'

const JSON_TYPE = 'application/json'
const BYTES: Schema = { type: 'string', format: 'binary' }

/** The body that a route takes, or undefined. */
export function requestBodyOf(route: Route, components: Components): Json | undefined {
  if (!takesBody(route)) return undefined
  const { consumes, body } = route.schema
  const isOptional = body?.anyOf?.some(({ type }) => type === 'null') ?? false
  const types = consumes ?? [route.access.body && !body ? 'application/octet-stream' : JSON_TYPE]
  return {
    required: !isOptional,
    content: contentOf(types, body ?? BYTES, 'request', describeIn(route, components))
  }
}

/** All replies of a route: what it declares, and the failures that can occur. */
export function responsesOf(route: Route, components: Components): Json {
  const declared = Object.entries(route.schema.response ?? {})
  const responses = new Map<string, Json>()
  for (const [status, schema] of declared) {
    const failure = isBlank(schema) && sharedFailure(Number(status))
    responses.set(
      status.toUpperCase().replace('DEFAULT', 'default'),
      failure || reply(route, status, schema, components)
    )
  }
  if (!declared.some(([status]) => /^[23]/.test(status)))
    responses.set('200', reply(route, '200', isStream(route) ? { type: 'string' } : {}, components))
  for (const status of failuresOf(route)) {
    const failure = sharedFailure(status)
    if (failure && !responses.has(String(status))) responses.set(String(status), failure)
  }
  return Object.fromEntries([...responses].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A schema that says nothing: the route only tells that it may answer so. */
const isBlank = (schema: ResponseSchema): boolean => Object.keys(schema).length === 0

function reply(route: Route, status: string, schema: ResponseSchema, components: Components): Json {
  const describe = describeIn(route, components)
  const types = route.schema.produces ?? [JSON_TYPE]
  const content = schema.content
    ? Object.assign(
        {},
        ...Object.entries(schema.content).map(([type, it]) =>
          contentOf([type], it.schema, 'response', describe)
        )
      )
    : schema.type === 'null' || (isBlank(schema) && !route.schema.produces)
      ? undefined
      : contentOf(types, isBlank(schema) ? BYTES : schema, 'response', describe)
  return {
    description: schema.description ?? STATUS_CODES[status] ?? 'A reply',
    headers: headersOf(route, schema),
    ...(content && { content })
  }
}

function headersOf(route: Route, schema: Schema): Json {
  const header = (name: string) => ({ $ref: `#/components/headers/${name}` })
  return {
    'x-request-id': header('RequestId'),
    ...(hasVersion(schema) && { etag: header('ETag') }),
    ...(repeats(route) && { 'idempotency-replayed': header('IdempotencyReplayed') })
  }
}

/** Headers of replies. */
export const sharedHeaders: Json = {
  RequestId: { description: 'Names the request, in every error and in the log', schema: { type: 'string' } },
  ETag: {
    description: 'The version, for `If-Match`',
    schema: { type: 'string', examples: ['"1"'] }
  },
  IdempotencyReplayed: {
    description: '`true` on a reply that was repeated for its `Idempotency-Key`',
    schema: { type: 'string', const: 'true' }
  },
  RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1, examples: [12] } },
  WwwAuthenticate: {
    description: 'The challenge of RFC 6750',
    schema: { type: 'string', examples: ['Bearer'] }
  }
}

const describeIn = (route: Route, components: Components) => (schema: Schema) =>
  components.describe(schema, `${route.method} ${route.path}`)

function contentOf(
  types: readonly string[],
  schema: Schema,
  side: Side,
  describe: (schema: Schema) => Json
): Json {
  const described = describe(schema)
  const example = exampleOf(schema, side)
  return Object.fromEntries(
    types.map((type) => {
      const isJson = /^application\/(?:.+\+)?json$/.test(type)
      return [type, { schema: described, ...(isJson && example !== undefined && { example }) }]
    })
  )
}
