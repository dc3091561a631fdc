import type { Usage } from 'agent-platform'
import t from 'tap'
import type { CapabilityCall } from '../../contract.ts'
import { refuses, stage } from './testbed.ts'

const lines: Record<string, unknown>[] = []
const { booted, probe, enable, deps } = await stage(t, {
  log: (line) => lines.push(line),
  env: { UI_PLUGINS_MAX_DEPTH: '2', SANDBOX_WALL_MILLISECONDS: '20000' }
})
const { as, anyone, admin } = booted
const [ada, eve] = [as('ada'), as('eve')]
const principal = (id: string) =>
  ({ id, type: 'user', project: 'default', owner: id, scopes: new Set(['agents:read']) }) as never
/** What a guest is told of an error. */
const told = (call: string) =>
  `try { return await ${call} } catch ({ code, message }) { return { code, message } }`

t.test('a page asks for what was granted, as its caller', async (t) => {
  const app = await enable(ada, 'page-app')
  const agent = await ada.agent({ name: 'Ada’s' })
  const other = await eve.agent({ name: 'Eve’s' })
  t.match(await app.ask('agents.read', { agentId: agent.id }), {
    status: 200,
    body: { data: { id: agent.id, name: 'Ada’s' } }
  })
  t.match((await app.ask('agents.list')).body.data.data, [{ id: agent.id }], 'without parameters')
  t.match(
    await app.ask('agents.read', { agentId: other.id }),
    refuses(403, 'not_owner', '/params/agentId'),
    'no more than the caller'
  )
  t.match(await app.ask('agents.read', { agentId: 7 }), refuses(400, undefined, '/params/agentId'))
  t.match(
    await app.ask('agents.read', { agentId: agent.id, more: 1 }),
    refuses(400, undefined, '/params/more')
  )
  t.match(await app.ask('agents.read', 'text'), refuses(400, undefined, '/params'))
  t.match(await app.ask('nothing.here'), refuses(404, undefined, '/method'))
  t.match(await app.ask('constructor'), refuses(404))
  t.match(await app.ask('storage.get', { key: 'a' }), refuses(503, 'capability_missing'), 'its pack is off')
  t.match(await ada.post(`${app.at}/gateway`, { params: {} }), refuses(400, undefined, '/method'))
  t.match(await ada.post(`${app.at}/gateway`, { method: 'a', by: 'eve' }), refuses(400, undefined, '/by'))
})

t.test('nobody’s app is used by others, unless it is the project’s', async (t) => {
  const own = await enable(ada, 'own-app')
  t.match(await own.ask('agents.list', {}, eve), refuses(403, 'not_owner'))
  t.match(await own.ask('agents.list', {}, admin), refuses(403, 'not_owner'), 'nor by a maintainer')
  t.match(await own.ask('agents.list', {}, anyone), refuses(401))
  t.match(await own.ask('agents.list', {}, as('zoe', { project: 'elsewhere' })), refuses(404))
  t.match(await ada.post('/v1/ui-plugins/unheard-of/gateway', { method: 'agents.list' }), refuses(404))
  const shared = await enable(
    ada,
    'shared-app',
    { list: 'return context.platform.agents.list()' },
    { audience: 'project' }
  )
  const agent = await as('kim').agent()
  const seen = await shared.call('list', {}, as('kim'))
  t.same(
    seen.body.data.data.map(({ id }: { id: string }) => id),
    [agent.id],
    'on behalf of who calls, not of the owner'
  )
  await ada.put(`${own.at}/status`, { status: 'off' })
  t.match(await own.ask('agents.list'), refuses(409, 'app_not_enabled'))
})

t.test('a credential that was narrowed does no more by an app', async (t) => {
  const app = await enable(ada, 'narrow-app', {}, { audience: 'project' })
  const narrow = as('nora', { scopes: ['ui-plugins:write'] })
  t.match(await app.ask('agents.list', {}, narrow), refuses(403, 'scope_missing'))
  t.match(await app.ask('probe.act', {}, narrow), refuses(403, 'scope_missing'), 'also where none is named')
  const wide = as('wim', { scopes: ['ui-plugins:write', 'probe:write'] })
  t.match(await app.ask('probe.act', {}, wide), { status: 200 })
  t.match(
    await app.ask('probe.act', {}, as('nils', { scopes: ['agents:read'] })),
    refuses(403, 'scope_missing')
  )
})

t.test('what was not granted, or granted for some, is refused', async (t) => {
  const [one, two] = [await ada.agent(), await ada.agent()]
  const app = await enable(
    ada,
    'granted-app',
    { read: told('context.platform.agents.read(input)') },
    {
      grants: { capabilities: [{ name: 'agents.read', agents: [one.id] }], hosts: [] }
    }
  )
  t.match(await app.ask('agents.list'), refuses(403, 'capability_not_granted'))
  t.match(await app.ask('agents.read', { agentId: one.id }), { status: 200 })
  t.match(await app.ask('agents.read', { agentId: two.id }), refuses(403, 'narrowed'))
  t.match(await app.ask('agents.create'), refuses(404), 'not asked for, and nothing offers it')
  t.match((await app.call('read', { agentId: two.id })).body.data, { code: 'narrowed' })
})

t.test('a grant that is taken away in the middle of a function is gone at its next call', async (t) => {
  const app = await enable(ada, 'middle-app', {
    go: `await context.platform.agents.list()
      await context.platform.probe.act()
      ${told('context.platform.agents.list()')}`
  })
  probe.act = async () => {
    const { status } = await app.grants({ capabilities: [{ name: 'probe.act' }], hosts: [] })
    t.equal(status, 200)
  }
  t.match((await app.call('go')).body.data, { code: 'capability_not_granted' })
  probe.act = async () => void (await ada.put(`${app.at}/status`, { status: 'off' }))
  await app.grants({ capabilities: [{ name: 'probe.act' }, { name: 'agents.list' }], hosts: [] })
  t.match((await app.call('go')).body.data, { code: 'app_not_enabled' }, 'so is the whole app')
})

t.test('functions: input, output, faults, and what they are told', async (t) => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  const described = (name: string, more: object = {}) => ({
    name,
    description: name,
    input: { type: 'object' },
    ...more
  })
  const app = await enable(
    ada,
    'function-app',
    {
      double: 'return input.n * 2',
      wrong: 'return "text"',
      fails: 'throw Object.assign(new TypeError("no such town"), { code: "not_owner" })',
      refused: 'return context.platform.agents.read(input)',
      nested: 'return context.call("functions.call", { name: "refused", input })',
      spins: 'for (;;);',
      about: 'return context.about',
      faulty: told('context.platform.probe.act()'),
      unknown: told('context.call("nothing.here")')
    },
    {
      functions: [
        described('double', { input: schema }),
        described('wrong', { output: { type: 'integer' } }),
        ...['fails', 'refused', 'nested', 'spins', 'about', 'faulty', 'unknown'].map((name) =>
          described(name)
        )
      ],
      limits: { cpuMs: 50 }
    }
  )
  lines.length = 0
  t.match(await app.call('double', { n: 21 }), { status: 200, body: { data: 42 } })
  t.match(await app.call('double', { n: 'x' }), refuses(400, undefined, '/params/input/n'))
  t.match(await app.call('double'), refuses(400, undefined, '/params/input/n'))
  t.match(await app.ask('functions.call', {}), refuses(400, undefined, '/params/name'))
  t.match(await app.call('unheard'), refuses(404, undefined, '/params/name'))
  t.match(await app.call('toString'), refuses(404))
  t.match(await app.call('wrong'), refuses(502, 'invalid_output'))
  const failed = await app.call('fails')
  t.match(failed, refuses(502, 'app_error'), 'no code of the platform')
  t.equal(failed.body.error.message, 'no such town')
  const others = await eve.agent()
  for (const name of ['refused', 'nested'])
    t.match(
      await app.call(name, { agentId: others.id }),
      refuses(502, 'not_owner'),
      'but that of what it was refused, and let through'
    )
  t.match(await app.call('spins'), refuses(504, 'cpu_exceeded'), 'the limit of its manifest')
  const errors = () => lines.filter(({ msg }) => msg === 'request failed').length
  t.equal(errors(), 0, 'what is wrong with an app is no error of the platform')
  const { body } = await app.call('about', {}, ada, { 'accept-language': 'de-CH,de;q=0.9' })
  t.same(body.data, { callerId: 'ada', locale: 'de-CH' })
  probe.act = async () => {
    throw new Error('select * from secrets')
  }
  const internal = await app.call('faulty')
  t.same(internal.body.data, { code: 'api_error', message: 'Something went wrong on our side' })
  t.notMatch(internal.text, /secrets/)
  t.match((await app.ask('probe.act')).status, 500)
  t.equal(errors(), 1)
  t.match((await app.call('unknown')).body.data, { code: 'not_found' })
})

t.test('tools and steps call functions, and the depth of calls is bounded', async (t) => {
  let seen: CapabilityCall | undefined
  probe.act = async (_by, _params, context) => void (seen = context)
  const app = await enable(ada, 'deep-app', {
    act: 'await context.platform.probe.act(); return context.about',
    again: told('context.call("functions.call", { name: "again" })')
  })
  const { callFunction } = deps().gateway
  const noted: (readonly Usage[])[] = []
  const used = (usage: readonly Usage[]) => void noted.push(usage)
  const order = { depth: 1, agentId: 'agent_1', runId: 'run_1', used }
  t.same(await callFunction(principal('ada'), 'deep-app', 'act', {}, order), {
    callerId: 'ada',
    agentId: 'agent_1',
    runId: 'run_1'
  })
  t.equal(noted.length, 1)
  const amounts = Object.fromEntries(noted.flat().map(({ meter, quantity }) => [meter, quantity]))
  t.match(amounts, {
    'app.calls': '2',
    'app.functionCalls': '1',
    'app.cpuMs': /^\d/,
    'app.characters': /^\d/
  })
  t.match(seen, { appId: app.id, pluginId: 'deep-app', depth: 2, grant: { name: 'probe.act' } })
  await t.rejects(callFunction(principal('ada'), 'deep-app', 'act', {}, { depth: 3 }), { code: 'too_deep' })
  await t.rejects(callFunction(principal('ada'), 'deep-app', 'act', 7), {
    message: /^\/input must be/
  } as never)
  await t.rejects(callFunction(principal('eve'), 'deep-app', 'act', {}), { code: 'not_owner' })
  await t.rejects(callFunction(principal('ada'), 'deep-app', 'nope', {}), { message: 'Function not found' })
  const left = new AbortController()
  probe.act = async (_by, _params, { signal }) => {
    setImmediate(() => left.abort(new Error('left')))
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  await t.rejects(callFunction(principal('ada'), 'deep-app', 'act', {}, { signal: left.signal }), {
    message: 'left'
  })
  t.match((await app.call('again')).body.data, { code: 'too_deep' })
})

t.test('a pack that goes takes its capabilities along', async (t) => {
  probe.act = async () => 'there'
  const app = await enable(ada, 'leaving-app')
  t.match(await app.ask('probe.act'), { body: { data: 'there' } })
  t.equal((await admin.put('/v1/packs/probe', { enabled: false })).status, 200)
  t.match(await app.ask('probe.act'), refuses(503, 'capability_missing'))
  t.equal((await admin.put('/v1/packs/probe', { enabled: true })).status, 200)
  t.match(await app.ask('probe.act'), { status: 200 })
  t.equal((await admin.put('/v1/packs/sandbox', { enabled: false })).status, 200)
  t.match(await app.call('any'), refuses(404))
  const able = await enable(ada, 'able-app', { any: 'return 1' })
  t.match(await able.call('any'), refuses(503, 'capability_missing'), 'functions go with the sandbox')
  const input = { type: 'object' }
  const functions = [{ name: 'missing', description: 'Nothing was examined', input }]
  const missing = await enable(ada, 'missing-app', { other: 'return 1' }, { functions } as never)
  t.equal((await admin.put('/v1/packs/sandbox', { enabled: true })).status, 200)
  t.match(await missing.call('missing'), refuses(502, 'not_a_function'))
  t.match(await able.call('any'), { body: { data: 1 } })
})
