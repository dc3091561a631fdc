import { STATUS_CODES } from 'node:http'
import type { Components } from './components.ts'
import type { Side } from './example.ts'
import { exampleOf } from './example.ts'
import { failuresOf, sharedFailure } from './failures.ts'
import { header } from './headers.ts'
import { EVENTS, isStream, repeats } from './parameters.ts'
import { subjectOf } from './paths.ts'
import type { Json, ResponseSchema, Route, Schema } from './route.ts'
import { hasVersion, takesBody } from './route.ts'

const JSON_TYPE = 'application/json'
const BYTES: Schema = { type: 'string', format: 'binary' }

/** The body that a route takes, or undefined. */
export function requestBodyOf(route: Route, components: Components): Json | undefined {
  if (!takesBody(route)) return undefined
  const { consumes, body } = route.schema
  const isRequired = body !== undefined && !body.anyOf?.some(({ type }) => type === 'null')
  const types = consumes ?? [route.access.body && !body ? 'application/octet-stream' : JSON_TYPE]
  return {
    ...(isRequired && { required: true }),
    content: contentOf(types, body ?? BYTES, 'request', route, components)
  }
}

/** All replies of a route: what it declares, and the failures that can occur. */
export function responsesOf(route: Route, components: Components): Json {
  const responses = new Map<string, Json>()
  for (const [status, schema] of Object.entries(route.schema.response ?? {})) {
    const failure = isBlank(schema) && sharedFailure(Number(status))
    const name = status === 'default' ? status : status.toUpperCase()
    responses.set(name, failure || replyOf(route, status, schema, components))
  }
  if (![...responses.keys()].some((status) => /^(?:[23]|default)/.test(status)))
    responses.set('200', replyOf(route, '200', isStream(route) ? { type: 'string' } : {}, components))
  for (const status of failuresOf(route)) {
    const failure = sharedFailure(status)
    if (failure && !responses.has(String(status))) responses.set(String(status), failure)
  }
  return Object.fromEntries([...responses].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A schema that says nothing: the route only tells that it may answer so. */
const isBlank = (schema: ResponseSchema): boolean => Object.keys(schema).length === 0

function replyOf(route: Route, status: string, schema: ResponseSchema, components: Components): Json {
  const content = replyContentOf(route, schema, components)
  return {
    description: schema.description ?? STATUS_CODES[status] ?? 'The reply',
    headers: {
      'x-request-id': header('RequestId'),
      ...(hasVersion(schema) && { etag: header('ETag') }),
      ...(repeats(route) && { 'idempotency-replayed': header('IdempotencyReplayed') })
    },
    ...(content && { content })
  }
}

function replyContentOf(route: Route, schema: ResponseSchema, components: Components): Json | undefined {
  const { produces } = route.schema
  const of = (types: readonly string[], part: Schema) => contentOf(types, part, 'response', route, components)
  if (schema.content) {
    const parts = Object.entries(schema.content).map(([type, part]) => of([type], part.schema))
    return Object.assign({}, ...parts)
  }
  if (schema.type === 'null' || (isBlank(schema) && !produces)) return undefined
  return of(produces ?? [JSON_TYPE], isBlank(schema) ? BYTES : schema)
}

function contentOf(
  types: readonly string[],
  schema: Schema,
  side: Side,
  route: Route,
  components: Components
): Json {
  const described = components.describe(schema, `${route.method} ${route.path}`, side)
  const example = exampleOf(schema, side, subjectOf(route.path))
  return Object.fromEntries(
    types.map((type) => {
      const shown = example === undefined ? undefined : asSent(type, example)
      return [type, { schema: described, ...(shown !== undefined && { example: shown }) }]
    })
  )
}

/** An example as a body of that type has it; undefined where that is not text. */
function asSent(type: string, example: unknown): unknown {
  if (/^application\/(?:.+\+)?json$/.test(type)) return example
  return type === EVENTS ? `data: ${JSON.stringify(example)}\n\n` : undefined
}
