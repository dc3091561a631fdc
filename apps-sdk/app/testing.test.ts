import { join } from 'node:path'
import { defineApp } from 'agent-platform-app'
import type { TestOptions } from 'agent-platform-app/testing'
import { AppError, testApp } from 'agent-platform-app/testing'
import t from 'tap'
import { Type } from 'typebox'

const input = Type.Object({})
const ada = { name: 'Ada', instructions: null, modelProvider: 'local', modelId: null }
type Work = Parameters<typeof app>[0]

/** An app with one function, which may use something of everything. */
function app(work: (input: never, context: import('agent-platform-app').ContextOf<typeof asked>) => unknown) {
  return defineApp({ manifest: asked, functions: { work: work as never } })
}
const asked = {
  id: 'tested',
  name: 'Tested',
  version: '1.0.0',
  description: 'Is tested',
  capabilities: [
    { name: 'agents.read', reason: 'To read' },
    { name: 'stars.count', reason: 'Of a pack that these types know nothing of' }
  ],
  egress: [
    { host: 'api.weather.example', reason: 'To ask' },
    { host: '*.tiles.example', reason: 'To show' }
  ],
  connections: [
    { key: 'weather', name: 'Weather', hosts: ['api.weather.example'], auth: { type: 'bearer' } }
  ],
  storage: { keyValue: 'app', collections: [{ name: 'places', scope: 'user' }], quotaBytes: 2_000 },
  functions: [{ name: 'work', description: 'Does what the test says', input }]
} as const
const run = async (work: Work, options?: TestOptions) => (await testApp(app(work), options)).call('work', {})
const refuses = (code: string, message?: RegExp) =>
  ({ name: 'AppError', code, ...(message && { message }) }) as unknown as Error

t.test('the platform answers within grants, and what it takes and gives is looked at', async (t) => {
  const platform = {
    'agents.read': ({ agentId }: { agentId: string }) => ({ id: agentId, ...ada }),
    'stars.count': () => 7
  }
  const read: Work = (_, { platform }) => platform.agents.read({ agentId: 'agent_1' })
  t.same(await run(read, { platform }), { id: 'agent_1', ...ada })
  t.equal(await run((_, { platform }) => platform.stars.count({ of: 'Ulm' }), { platform }), 7)
  const narrowed = { capabilities: [{ name: 'agents.read', agents: ['agent_2'] }], hosts: [] }
  await t.rejects(run(read, { platform, grants: narrowed }), refuses('narrowed', /certain agents only/))
  await t.rejects(
    run((_, { call }) => call('agents.list'), { platform }),
    refuses('capability_not_granted', /not granted/)
  )
  await t.rejects(
    run((_, { call }) => call('agents.read', { id: 1 }), { platform }),
    refuses('invalid_request_error', /params/)
  )
  await t.rejects(
    run((_, { call }) => call('nothing.there')),
    refuses('not_found', /not found/)
  )
  await t.rejects(run(read), { name: 'TestError', message: /agents\.read/ })
  const wrong = { 'agents.read': () => ({ id: 7 }) } as never
  await t.rejects(run(read, { platform: wrong }), { name: 'TestError', message: /never gives/ })
  await t.rejects(
    testApp(app(read), { grants: { capabilities: [{ name: 'agents.list' }], hosts: [] } }),
    /does not ask/
  )
})

t.test('a code of the platform is told where it was answered, and let through', async (t) => {
  const ask: Work = (_, { call }) => call('nothing.there')
  await t.rejects(run(ask), refuses('not_found', /nothing.there/))
  const refusal = { code: 'not_found', message: 'Method nothing.there not found' }
  const forged: Work = () => Promise.reject(Object.assign(new Error(refusal.message), refusal))
  await t.rejects(run(forged), refuses('app_error', /nothing.there/))
  const reworded: Work = (_, { call }) =>
    call('nothing.there').catch((error) => Promise.reject(Object.assign(error, { message: 'Pay' })))
  await t.rejects(run(reworded), refuses('app_error', /Pay/))
})

t.test('grants hold from the next question on', async (t) => {
  const platform = { 'agents.read': () => ({ id: 'a', ...ada }) }
  const codes: unknown[] = []
  const tested = await testApp(
    app(async (_, { platform }) => {
      await platform.agents.read({ agentId: 'a' })
      tested.grant({ capabilities: [], hosts: [] })
      await platform.agents.read({ agentId: 'a' }).catch(({ code }) => codes.push(code))
    }),
    { platform }
  )
  await tested.call('work', {})
  t.same(codes, ['capability_not_granted'])
  t.same(
    tested.asked.map(({ method }) => method),
    ['agents.read', 'agents.read']
  )
})

t.test('hosts are those of the manifest and of the grants, by https, and keys go to their own', async (t) => {
  const hosts: unknown[] = []
  const fetch = (request: Request, connection?: string) => {
    hosts.push([request.method, request.url, connection])
    return Response.json({ degrees: 21 })
  }
  const ask = (url: string, init?: object): Promise<unknown> =>
    run(async (_, { fetch }) => (await fetch(url, init)).json(), { fetch })
  t.same(await ask('https://api.weather.example/ulm', { connection: 'weather' }), { degrees: 21 })
  t.same(await ask('https://a.tiles.example/1', { method: 'POST', body: '{}' }), { degrees: 21 })
  t.same(hosts, [
    ['GET', 'https://api.weather.example/ulm', 'weather'],
    ['POST', 'https://a.tiles.example/1', undefined]
  ])
  for (const url of ['https://evil.example', 'https://api.weather.example:8443', 'https://tiles.example'])
    await t.rejects(ask(url), refuses('host_not_granted', /not granted/), url)
  await t.rejects(ask('http://api.weather.example'), refuses('invalid_request_error', /https/))
  await t.rejects(
    ask('https://a.tiles.example', { connection: 'weather' }),
    refuses('connection_not_declared', /connection/)
  )
})

t.test('input, output and limits are those of the manifest', async (t) => {
  const manifest = {
    ...asked,
    limits: { wallMs: 100, cpuMs: 50 },
    functions: [
      { name: 'work', description: 'Adds', input: Type.Object({ a: Type.Integer() }), output: Type.Integer() }
    ]
  } as const
  const adds = (work: (input: { a: number }) => unknown) =>
    testApp(defineApp({ manifest, functions: { work: work as never } }))
  const sound = await adds(({ a }) => a + 1)
  t.equal(await sound.call('work', { a: 1 }), 2)
  await t.rejects(sound.call('work', { a: 'one' }), refuses('invalid_request_error', /input/))
  await t.rejects(sound.call('other', {}), refuses('not_found'))
  await t.rejects((await adds(() => 'two')).call('work', { a: 1 }), refuses('invalid_output'))
  await t.rejects(
    (await adds(() => 'x'.repeat(1_048_577))).call('work', { a: 1 }),
    refuses('message_too_large')
  )
  await t.rejects(
    (await adds(() => new Promise(() => undefined))).call('work', { a: 1 }),
    refuses('time_exceeded')
  )
  const busy = () => {
    const { user } = process.cpuUsage()
    while (process.cpuUsage().user - user < 60_000);
    return 1
  }
  await t.rejects((await adds(busy)).call('work', { a: 1 }), refuses('cpu_exceeded'))
  await t.rejects(
    run(async (_, { call }) =>
      Promise.all(Array.from({ length: 33 }, () => call('storage.get', { key: 'a' })))
    ),
    refuses('app_error', /32 calls/)
  )
  await t.rejects(
    run((_, { call }) => call('functions.call', { name: 'work' })),
    refuses('too_deep', /lie above/)
  )
})

t.test('storage is kept for each caller, within what the manifest declares', async (t) => {
  const tested = await testApp(app(() => null))
  const ask = (method: string, params: object, callerId = 'ada') =>
    tested.ask(`storage.${method}`, params, { callerId })
  t.match(await ask('set', { key: 'a', value: 1 }), { key: 'a', version: 1 })
  t.match(await ask('set', { key: 'a', value: 2, ifVersion: 1 }), { version: 2 })
  await t.rejects(ask('set', { key: 'a', value: 3, ifVersion: 1 }), refuses('version_conflict'))
  t.equal(await ask('get', { key: 'a' }, 'bob'), null)
  await ask('set', { key: 'shared', value: true, scope: 'app' })
  t.match(await ask('get', { key: 'shared', scope: 'app' }, 'bob'), { value: true })
  const own = await testApp({
    ...app(() => null),
    manifest: { ...app(() => null).manifest, storage: { keyValue: true } }
  })
  await t.rejects(own.ask('storage.get', { key: 'shared', scope: 'app' }), refuses('storage_not_declared'))

  for (const [name, size] of [
    ['Ulm', 3],
    ['Bonn', 5],
    ['Köln', 9]
  ] as const)
    await ask('insert', {
      collection: 'places',
      id: name,
      document: { name, size, at: { tags: ['de', name] } }
    })
  const names = async (filter: object, more = {}) => {
    const { items } = (await ask('find', { collection: 'places', filter, ...more })) as {
      items: { name: string }[]
    }
    return items.map(({ name }) => name)
  }
  t.same(await names({ size: { $gt: 3 } }, { sort: { by: 'size', order: 'desc' } }), ['Köln', 'Bonn'])
  t.same(await names({ 'at.tags': 'Ulm' }), ['Ulm'])
  t.same(await names({ $or: [{ name: { $prefix: 'B' } }, { size: { $in: [3] } }] }), ['Bonn', 'Ulm'])
  t.same(await names({ $not: { size: { $lte: 5 } }, gone: null }), ['Köln'])
  t.same(await names({ gone: { $exists: true } }), [])
  await ask('update', { collection: 'places', id: 'Bonn', set: { size: 5 } })
  t.same(await names({ version: 2 }), ['Bonn'])
  t.same(await names({ version: { $lt: 2 } }, { sort: { by: 'version' } }), ['Köln', 'Ulm'])
  t.same(await names({}, { sort: { by: 'version', order: 'desc' } }), ['Bonn', 'Ulm', 'Köln'])
  t.same(await names({ createdAt: { $gte: '1999-12-31' } }, { sort: { by: 'id' } }), ['Bonn', 'Köln', 'Ulm'])
  t.same(await names({ updatedAt: { $lt: '1999-12-31T12:00+02:00' } }), [])
  for (const wrong of ['yesterday', 7, null, '9999-12-31T23:59-05:00', '0000-01-01'])
    await t.rejects(
      names({ createdAt: { $in: [wrong] } }),
      refuses('invalid_request_error', /a time such as/),
      String(wrong)
    )
  await t.rejects(names({ createdAt: { $prefix: '2' } }), refuses('invalid_request_error', /\$gte/))
  await t.rejects(names({ size: { $where: 1 } }), refuses('invalid_request_error', /\$where/))
  const first = (await ask('find', { collection: 'places', limit: 2 })) as { nextCursor: string }
  t.match(await ask('find', { collection: 'places', limit: 2, cursor: first.nextCursor }), {
    items: [{ id: 'Ulm' }],
    nextCursor: null
  })
  t.match(await ask('update', { collection: 'places', id: 'Ulm', set: { size: 4 }, unset: ['at'] }), {
    size: 4,
    at: undefined,
    version: 2
  })
  t.same(await ask('remove', { collection: 'places', id: 'Ulm' }), { removed: true })
  t.same(await ask('count', { collection: 'places' }), { count: 2 })
  await t.rejects(
    ask('insert', { collection: 'places', id: 'Bonn', document: {} }),
    refuses('already_exists')
  )
  await t.rejects(ask('update', { collection: 'places', id: 'Ulm' }), refuses('not_found'))
  await t.rejects(ask('find', { collection: 'other' }), refuses('storage_not_declared'))
  await t.rejects(ask('set', { key: 'large', value: 'x'.repeat(2_000) }), refuses('quota_exceeded'))
  await t.rejects(ask('set', { key: 1, value: 1 }), refuses('invalid_request_error', /params/))
})

t.test('an app is looked at as a whole before it runs', async (t) => {
  const { work: _, ...others } = app(() => null).functions
  await t.rejects(testApp({ ...app(() => null), functions: others }), /which the code does not have/)
  await t.rejects(
    testApp({ ...app(() => null), functions: { work: () => null, more: () => null } }),
    /has no more/
  )
  const manifest = { ...app(() => null).manifest, version: 'one' }
  await t.rejects(testApp({ manifest, functions: { work: () => null } }), /semver/)
  await t.rejects(testApp(join(import.meta.dirname, 'src')), /there is no src\/app\.ts/)
  t.ok(new AppError('a', 'b') instanceof Error)
})
