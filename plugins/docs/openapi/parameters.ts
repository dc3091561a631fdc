import type { Components } from './components.ts'
import type { Template } from './paths.ts'
import type { Json, Route, Schema } from './route.ts'
import { hasVersion, isPublic, propertiesOf } from './route.ts'

const Text: Schema = { type: 'string' }
const REST = 'The rest of the path, slashes included'

/** Headers that many routes take. */
export const sharedParameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'For 24 hours, the same key with the same body repeats the first reply',
    schema: { type: 'string', minLength: 1, maxLength: 255 }
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    // No example: the page would send it.
    description: 'The ETag of the version to change, such as `"1"`; 412 when there is a newer one',
    schema: { type: 'string' }
  },
  Initiator: {
    name: 'x-initiator',
    in: 'header',
    description:
      'Whom a service acts for, by a name of its own; 403 from any other principal. Left out, it acts for itself.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' }
  },
  LastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: '`seq` of the last event that was received; the stream goes on after it',
    schema: { type: 'integer', minimum: -1 }
  }
} satisfies Record<string, Json>

const shared = (name: keyof typeof sharedParameters) => ({ $ref: `#/components/parameters/${name}` })

/** Everything beside the body that a route takes. */
export function parametersOf(route: Route, { names }: Template, components: Components): Json[] {
  const where = `${route.method} ${route.path}`
  const described = (schema: Schema) => components.describe(schema, where)
  const given = new Map(propertiesOf(route.schema.params).map(([name, schema]) => [name, schema]))
  const inPath = [...names].map(([own, name]) =>
    parameter(
      'path',
      name,
      given.get(own) ?? (own === '*' ? { ...Text, description: REST } : Text),
      true,
      described
    )
  )
  const inQuery = propertiesOf(route.schema.querystring).map(([name, schema, required]) =>
    parameter('query', name, schema, required, described)
  )
  const inHeaders = propertiesOf(route.schema.headers).map(([name, schema, required]) =>
    parameter('header', name, schema, required, described)
  )
  return [...inPath, ...inQuery, ...inHeaders, ...sharedOf(route)]
}

function parameter(
  place: 'path' | 'query' | 'header',
  name: string,
  schema: Schema,
  required: boolean,
  described: (schema: Schema) => Json
): Json {
  const { description, deprecated, ...rest } = described(schema)
  return {
    name,
    in: place,
    ...(required && { required }),
    ...(description !== undefined && { description }),
    ...(deprecated === true && { deprecated }),
    schema: rest
  }
}

function sharedOf(route: Route): Json[] {
  const { method, access, schema } = route
  const own = new Set(propertiesOf(schema.headers).map(([name]) => name.toLowerCase()))
  const taken: Json[] = []
  if (!access.by || access.by === 'optional') taken.push(shared('Initiator'))
  if (repeats(route) && !own.has('idempotency-key')) taken.push(shared('IdempotencyKey'))
  if (takesVersion(route) && !own.has('if-match')) taken.push(shared('IfMatch'))
  if (method === 'GET' && !access.body && isResumed(route) && !own.has('last-event-id'))
    taken.push(shared('LastEventId'))
  return taken
}

/** Whether `Idempotency-Key` means something to the route. */
export const repeats = (route: Route): boolean =>
  route.method === 'POST' && !isPublic(route) && route.access.body !== 'stream'

/** Whether `If-Match` does. */
export const takesVersion = ({ method, schema }: Route): boolean =>
  (method === 'PUT' || method === 'PATCH') && Object.values(schema.response ?? {}).some(hasVersion)

/** Whether its events can be asked for from one of them on: a stream that shows what is now takes no `after`. */
const isResumed = (route: Route): boolean =>
  isStream(route) && propertiesOf(route.schema.querystring).some(([name]) => name === 'after')

export const EVENTS = 'text/event-stream'
/** Whether a route answers with Server-Sent Events. */
export const isStream = ({ schema: { produces, response } }: Route): boolean =>
  (produces?.includes(EVENTS) ?? false) ||
  Object.values(response ?? {}).some(({ content }) => content !== undefined && EVENTS in content)
