import { readFileSync } from 'node:fs'
import { validate } from '@scalar/openapi-parser'
import { Changes, Data, Paging } from 'agent-platform'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import t from 'tap'
import { Type } from 'typebox'
import { boot } from '../../../../test/boot.ts'
import { describeApi } from '../../openapi/document.ts'
import type { MountedPack } from '../../openapi/route.ts'

type MountedRoute = MountedPack['routes'][number]
const platform = { version: '1.2.3', baseUrl: 'https://api.example.com' }
const Goal = Type.Object(
  { id: Type.String(), title: Type.String({ minLength: 3 }), version: Type.Integer() },
  { title: 'Goal' }
)

const route = (
  method: string,
  path: string,
  schema = {},
  access: MountedRoute['access'] = {}
): MountedRoute => ({
  method,
  path,
  schema,
  access,
  need: { any: access.scope ?? [], always: access.scope !== undefined }
})
const pack = (name: string, ...routes: MountedRoute[]): MountedPack => ({
  name,
  area: 'Work',
  summary: 'what it is for',
  routes
})
// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
const describe = (...routes: MountedRoute[]): any =>
  describeApi([pack('goals', ...routes)], platform).document

t.test('all routes of the specification make a valid document', async (t) => {
  const file = new URL('../../../../test/specification/routes.json', import.meta.url)
  const rows = JSON.parse(readFileSync(file, 'utf8')) as { method: string; path: string }[]
  const mounted = rows.map(({ method, path }) => route(method, path))
  const document = describe(...mounted)
  t.match(await validate(document), { valid: true })
  const { '/health/ready': _, ...paths } = document.paths
  const operations = Object.values(paths).flatMap((item) => Object.values(item as object))
  const distinct = new Set(rows.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '{}')}`))
  t.equal(operations.length, distinct.size)
  t.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  for (const { operationId } of operations) t.match(operationId, /^[a-z][A-Za-z0-9]*$/)
  for (const path of Object.keys(document.paths)) {
    const names = path.match(/\{\w+\}/g) ?? []
    t.equal(new Set(names).size, names.length, path)
  }
})

t.test('a position of a path has one name', async (t) => {
  const params = Type.Object({ id: Type.String({ description: 'Of the task' }) })
  const { paths } = describe(
    route('GET', '/v1/tasks/:id', { params }),
    route('GET', '/v1/tasks/:taskId/steps'),
    route('POST', '/v1/tasks/:taskId/cancel'),
    route('GET', '/v1/tasks/:taskId/steps/:id'),
    route('GET', '/v1/nested/:id/things/:id2'),
    route('GET', '/v1/files/*'),
    route('GET', '/v1/mixed/:id'),
    route('GET', '/v1/mixed/*'),
    route('POST', '/v1/models/:name(^[a-z]+$)::embed')
  )
  t.strictSame(Object.keys(paths), [
    '/health',
    '/health/ready',
    '/v1/files/{path}',
    '/v1/mixed/{id}/{path}',
    '/v1/mixed/{id}',
    '/v1/models/{name}:embed',
    '/v1/nested/{id}/things/{id2}',
    '/v1/tasks/{taskId}',
    '/v1/tasks/{taskId}/cancel',
    '/v1/tasks/{taskId}/steps',
    '/v1/tasks/{taskId}/steps/{id}'
  ])
  t.match(paths['/v1/tasks/{taskId}'].get, {
    operationId: 'getTasksById',
    parameters: [{ name: 'taskId', in: 'path', required: true, description: 'Of the task' }]
  })
  t.match(paths['/v1/files/{path}'].get.parameters, [{ name: 'path', description: /slashes included/ }])
})

t.test('a schema with a title is a component, once', async (t) => {
  const { components, paths } = describe(
    route('GET', '/v1/goals/:id', { response: { 200: Data(Goal) } }),
    route('PUT', '/v1/goals/:id', {
      body: Changes(Goal, ['title']),
      response: { 200: Data(Type.Object({ ...Goal.properties }, { title: 'Goal' })) }
    })
  )
  t.strictSame(Object.keys(components.schemas), ['Error', 'Goal', 'GoalChanges'])
  t.match(paths['/v1/goals/{id}'].get.responses[200].content['application/json'].schema, {
    properties: { data: { $ref: '#/components/schemas/Goal' } }
  })
  t.match(components.schemas.GoalChanges.properties, { id: { readOnly: true }, title: { type: 'string' } })
})

t.test('two different schemas with one title are a fault, and the document stays whole', async (t) => {
  const other = Type.Object({ id: Type.Integer() }, { title: 'Goal' })
  const { document, faults } = describeApi(
    [
      pack('goals', route('GET', '/v1/goals', { response: { 200: Goal } })),
      pack('wishes', route('GET', '/v1/wishes', { response: { 200: other } }))
    ],
    platform
  )
  t.strictSame(faults, ['Two different schemas have the title Goal: in GET /v1/goals and in GET /v1/wishes'])
  t.match(await validate(document), { valid: true })
  t.match(document, {
    paths: {
      '/v1/wishes': { get: { responses: { 200: { content: { 'application/json': { schema: other } } } } } }
    }
  })
})

t.test('keywords of our own are left out, properties of that name are not', async (t) => {
  const schema = Type.Object(
    {
      secret: Type.String({ secret: true, env: 'TOKEN', readOnly: true }),
      kind: Type.Union([Type.Literal('a'), Type.Literal('b')]),
      map: Type.Record(Type.String(), Type.Integer()),
      pair: Type.Tuple([Type.String(), Type.Null()])
    },
    { title: 'Setting' }
  )
  const { components } = describe(route('GET', '/v1/settings', { response: { 200: schema } }))
  t.strictSame(components.schemas.Setting.properties, {
    secret: { type: 'string', readOnly: true },
    kind: { type: 'string', enum: ['a', 'b'] },
    map: { type: 'object', additionalProperties: { type: 'integer' } },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'null' }], items: false, minItems: 2 }
  })
})

t.test('a schema may refer to itself', async (t) => {
  const Tree = Type.Cyclic(
    { Tree: Type.Object({ name: Type.String(), children: Type.Array(Type.Ref('Tree')) }) },
    'Tree'
  )
  const { components, paths } = describe(route('POST', '/v1/trees', { body: Tree }))
  const { schema } = paths['/v1/trees'].post.requestBody.content['application/json']
  t.strictSame(schema, { $ref: '#/components/schemas/Tree' })
  t.match(components.schemas.Tree.properties.children, { items: schema })
})

t.test('a route tells what it takes and how it may fail', async (t) => {
  const { paths } = describe(
    route('POST', '/v1/goals', { body: Goal, response: { 201: Data(Goal), 502: Type.Unknown() } }),
    route(
      'GET',
      '/v1/goals',
      { querystring: Type.Object({ ...Paging }) },
      { scope: ['goals:read', 'goals:run'] }
    ),
    route('PATCH', '/v1/goals/:goalId', { body: Goal, response: { 200: Data(Goal) } }),
    route('POST', '/v1/goals/:goalId/file', {}, { body: 'stream' }),
    route('POST', '/v1/hooks/:token', {}, { by: 'public', body: 'raw' })
  )
  const failures = (operation: { responses: object }) =>
    Object.keys(operation.responses)
      .filter((status) => status >= '400')
      .join(' ')
  const { post, get } = paths['/v1/goals']
  t.match(post, {
    security: [{ bearer: [] }],
    parameters: [
      { $ref: '#/components/parameters/Initiator' },
      { $ref: '#/components/parameters/IdempotencyKey' }
    ],
    requestBody: { required: true, content: { 'application/json': {} } },
    responses: {
      201: { headers: { etag: {}, 'x-request-id': {}, 'idempotency-replayed': {} } },
      502: { $ref: '#/components/responses/Upstream' }
    }
  })
  t.equal(failures(post), '400 401 403 404 408 409 413 415 429 500 502 503 507')
  t.strictSame(get.security, [{ bearer: ['goals:read'] }, { bearer: ['goals:run'] }])
  t.match(get.description, /`goals:read` or `goals:run`/)
  t.match(get.parameters, [
    { name: 'limit', in: 'query', schema: { default: 20, maximum: 100 } },
    { name: 'cursor', in: 'query' }
  ])
  t.equal(failures(get), '400 401 403 429 500 503')
  const { patch } = paths['/v1/goals/{goalId}']
  t.match(patch.parameters, [
    { name: 'goalId' },
    { $ref: '#/components/parameters/Initiator' },
    { $ref: '#/components/parameters/IfMatch' }
  ])
  t.equal(failures(patch), '400 401 403 404 408 409 412 413 415 429 500 503 507')
  const upload = paths['/v1/goals/{goalId}/file'].post
  t.match(upload.requestBody.content, { 'application/octet-stream': { schema: { format: 'binary' } } })
  t.equal(failures(upload), '400 401 403 404 408 409 429 500 503 507')
  const hook = paths['/v1/hooks/{token}'].post
  t.match(hook, { security: [], parameters: [{ name: 'token' }] })
  t.equal(failures(hook), '400 404 408 413 429 500 503')
})

t.test('what a body refuses its schema refuses; a reply may hold more', async (t) => {
  const Inner = Type.Object({ name: Type.String() }, { title: 'Inner' })
  const NewThing = Type.Object(
    { inner: Inner, map: Type.Record(Type.String(), Inner) },
    { title: 'NewThing' }
  )
  const Thing = Type.Object({ id: Type.String(), ...NewThing.properties }, { title: 'Thing' })
  const { components, paths } = describe(
    route(
      'POST',
      '/v1/things',
      { body: NewThing, response: { 201: Data(Thing) } },
      { failures: ['paymentRequired', 'upstreamTimeout'] }
    ),
    route('PATCH', '/v1/things/:id', { body: Changes(Thing, ['inner']), response: { 200: Data(Thing) } })
  )
  t.match(Object.keys(components.schemas), [
    'Error',
    'Inner',
    'InnerInput',
    'NewThing',
    'Thing',
    'ThingChanges'
  ])
  const { Inner: shown, InnerInput, NewThing: taken, Thing: whole, ThingChanges } = components.schemas
  t.match([InnerInput, taken, ThingChanges], Array(3).fill({ additionalProperties: false }))
  t.notOk('additionalProperties' in shown || 'additionalProperties' in whole)
  t.match(ThingChanges.properties.id, { readOnly: true }, 'accepted and dropped')
  t.match(taken.properties.inner, { $ref: /InnerInput$/ })
  t.match(paths['/v1/things'].post.responses, { 402: { $ref: String }, 504: { $ref: String } })
})

const running = boot(t)

t.test('the document agrees with the server about bodies', async (t) => {
  const { admin, as } = await running
  const { body: document } = await admin.get('/openapi.json')
  const ajv = formats.default(new Ajv2020({ strict: false }))
  ajv.addSchema({ $id: 'api', ...document })
  const takes = (name: string, body: object) => ajv.compile({ $ref: `api#/components/schemas/${name}` })(body)
  t.notOk(takes('NewAgent', { name: 'A', nmae: 'B' }))
  t.ok(takes('NewAgent', { name: 'A' }))
  const ada = as('ada')
  const { id } = await ada.agent()
  const { body } = await ada.get(`/v1/agents/${id}`)
  t.ok(takes('AgentChanges', body.data), 'what it got may be sent back')
  t.match(await ada.put(`/v1/agents/${id}`, body.data), { status: 200 })
  for (const path of ['/health', '/health/ready']) t.match(document.paths[path].get.responses, { 200: {} })
  const statusesOf = (path: string) => Object.keys(document.paths[path].post.responses)
  const ofRun = statusesOf('/v1/agents/run')
  t.ok(['402', '502', '504', '507'].every((status) => ofRun.includes(status)))
  for (const path of ['/v1/tool-keys/{keyId}/test', '/v1/mcp/servers/{serverId}/connect'])
    t.ok(
      ['502', '504'].every((status) => statusesOf(path).includes(status)),
      path
    )
})

t.test('a route by ownership tells what a narrowed credential needs', async (t) => {
  const byOwnership = { ...route('GET', '/v1/goals'), need: { any: ['goals:read'], always: false } }
  const always = { ...route('GET', '/v1/usage'), need: { any: ['usage:read'], always: true } }
  const { paths } = describe(byOwnership, always)
  t.match(paths['/v1/goals'].get, { security: [{ bearer: [] }], description: /ownership.*`goals:read`/ })
  t.match(paths['/v1/usage'].get, { security: [{ bearer: ['usage:read'] }], description: /`usage:read`/ })
})

t.test('a stream is described as one', async (t) => {
  const content = {
    'text/event-stream': { schema: Type.Object({ seq: Type.Integer() }, { title: 'Event' }) }
  }
  const { paths } = describe(
    route('GET', '/v1/tasks/:id/stream', {
      querystring: Type.Object({ after: Type.Optional(Type.Integer()) }),
      response: { 200: { content } }
    }),
    route('GET', '/v1/changes', { response: { 200: { content } } }),
    route('POST', '/v1/runs/stream', { body: Goal, produces: ['text/event-stream'] })
  )
  const { get } = paths['/v1/tasks/{id}/stream']
  t.match(get.responses[200].content, {
    'text/event-stream': { schema: { $ref: '#/components/schemas/Event' } }
  })
  t.match(get.parameters, [
    { name: 'id' },
    { name: 'after' },
    { $ref: '#/components/parameters/Initiator' },
    { $ref: '#/components/parameters/LastEventId' }
  ])
  const { parameters } = paths['/v1/changes'].get
  t.same(
    parameters,
    [{ $ref: '#/components/parameters/Initiator' }],
    'one that is not resumed takes no place to go on at'
  )
  t.match(paths['/v1/runs/stream'].post.responses[200].content, { 'text/event-stream': {} })
})

t.test('a route without a body has none', async (t) => {
  const Empty = Type.Union([Type.Null(), Type.Object({})])
  const { paths } = describe(route('POST', '/v1/goals/:id/close', { body: Empty }))
  t.notOk(paths['/v1/goals/{id}/close'].post.requestBody)
})

/** What an example says: of a stream its one event. */
const shown = (example: unknown, pointer: string): unknown =>
  pointer.endsWith('event-stream') ? JSON.parse(String(example).slice('data: '.length)) : example

t.test('examples are valid, and every JSON body that is taken has one', async (t) => {
  const { admin } = await running
  const { body: document } = await admin.get('/openapi.json')
  const ajv = formats.default(new Ajv2020({ strict: false }))
  ajv.addSchema({ $id: 'api', ...document })
  let count = 0
  const visit = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return
    if ('schema' in value && 'example' in value) {
      const check = ajv.compile({ $ref: `api#${pointer}/schema` })
      t.ok(check(shown(value.example, pointer)), `${pointer}: ${ajv.errorsText(check.errors)}`)
      count++
    }
    if ('requestBody' in value) {
      const { content } = value.requestBody as { content: Record<string, object> }
      const json = content['application/json']
      if (json) t.ok('example' in json, `${pointer} has an example`)
    }
    for (const [key, part] of Object.entries(value))
      visit(part, `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
  }
  visit(document, '')
  t.ok(count > 30)
})
