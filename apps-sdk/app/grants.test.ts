import t from 'tap'
import {
  checkGrants,
  difference,
  grantsOf,
  grantsWithin,
  isNoMore,
  isWithin,
  noGrants,
  permits,
  permitsHost
} from './src/grants/grants.ts'
import type { Manifest } from './src/manifest/manifest.ts'
import { sound } from './testbed.ts'

t.test('grants give no more than the manifest asks for', async (t) => {
  t.ok(isWithin(sound, grantsOf(sound)))
  t.ok(isWithin(sound, noGrants))
  t.ok(
    isWithin(sound, { capabilities: [], hosts: ['a.tiles.example'] }),
    'a part of what a wildcard asks for'
  )
  const more = {
    capabilities: [{ name: 'runs.start' }, { name: 'agents.read' }, { name: 'agents.read' }],
    hosts: ['evil.example', '*']
  }
  t.match(checkGrants(sound, more), [
    { pointer: '/capabilities/0/name', message: /does not ask/ },
    { pointer: '/capabilities/2/name', message: /already/ },
    { pointer: '/hosts/0', message: /does not ask/ },
    { pointer: '/hosts/1', message: /every host/ }
  ])
  t.same(
    grantsWithin(sound, {
      capabilities: [{ name: 'agents.read', agents: ['a'] }, { name: 'x.y' }],
      hosts: ['x.example']
    }),
    {
      capabilities: [{ name: 'agents.read', agents: ['a'] }],
      hosts: []
    }
  )
})

t.test('whether grants are no more than others', async (t) => {
  const all = grantsOf(sound)
  const narrow = (agents?: string[]) => ({ capabilities: [{ name: 'agents.read', agents }], hosts: [] })
  t.ok(isNoMore(narrow(['a']), all))
  t.ok(isNoMore(narrow(['a']), narrow(['a', 'b'])))
  t.notOk(isNoMore(narrow(['a', 'c']), narrow(['a', 'b'])))
  t.notOk(isNoMore(narrow(), narrow(['a'])))
  t.notOk(isNoMore(all, narrow(['a'])))
  t.notOk(
    isNoMore(
      { capabilities: [], hosts: ['*.tiles.example'] },
      { capabilities: [], hosts: ['a.tiles.example'] }
    )
  )
  t.ok(isNoMore({ capabilities: [], hosts: ['a.tiles.example'] }, all))
})

t.test('a call is permitted by its grant, as far as that was narrowed', async (t) => {
  const narrows = { to: 'agents', at: '/agentId' } as const
  const read = { name: 'agents.read', narrows }
  const grants = (agents?: string[]) => ({ capabilities: [{ name: 'agents.read', agents }], hosts: [] })
  const may = (agents: string[] | undefined, params: unknown, capability: object = read) =>
    permits(grants(agents), capability as typeof read, params)
  t.match(may(undefined, {}), { permitted: true, grant: { name: 'agents.read' } })
  t.match(may(['a'], { agentId: 'a' }), { permitted: true, grant: { agents: ['a'] } })
  t.match(may(['a', 'b'], { agentId: ['a', 'b'] }), { permitted: true })
  for (const params of [
    { agentId: 'b' },
    { agentId: ['a', 'b'] },
    { agentId: [] },
    { agentId: 7 },
    {},
    null,
    'agentId'
  ])
    t.match(may(['a'], params), { permitted: false, code: 'narrowed' }, JSON.stringify(params))
  t.match(may(['constructor'], Object.create({ agentId: 'constructor' })), { permitted: false })
  t.match(may([], { agentId: 'a' }), { permitted: false }, 'narrowed to none')
  t.match(
    may(['a'], {}, { name: 'agents.read', narrows: { to: 'agents' } }),
    { permitted: true },
    'filters by itself'
  )
  t.match(
    may(['a'], {}, { name: 'agents.read' }),
    { permitted: false, code: 'narrowed' },
    'knows nothing of agents'
  )
  t.match(may(['a'], {}, { name: 'runs.start', narrows }), {
    permitted: false,
    code: 'capability_not_granted'
  })
})

t.test('a host is permitted by name and port', async (t) => {
  const grants = { capabilities: [], hosts: ['api.example.com', '*.tiles.example:8443'] }
  t.ok(permitsHost(grants, 'api.example.com'))
  t.ok(permitsHost(grants, 'API.Example.com', 443))
  t.notOk(permitsHost(grants, 'api.example.com', 80))
  t.notOk(permitsHost(grants, 'a.tiles.example'))
  t.ok(permitsHost(grants, 'a.tiles.example', 8443))
  t.notOk(permitsHost(grants, 'evil.example'))
})

t.test('the difference is told in plain words', async (t) => {
  const notices = { 'agents.read': { risk: 'low', reaches: 'Reads the agents that you can read' } } as const
  const noticeOf = (name: string) => notices[name as keyof typeof notices]
  const first = difference(undefined, sound, noticeOf)
  t.same(
    first.map(({ kind, name, risk, isNew }) => [kind, name, risk, isNew]),
    [
      ['capability', 'agents.read', 'low', true],
      ['capability', 'agents.list', 'high', true],
      ['host', 'api.weather.example', 'medium', true],
      ['host', '*.tiles.example', 'high', true],
      ['connection', 'weather-api', 'medium', true],
      ['storage', 'storage', 'low', true],
      ['tool', 'forecast', 'medium', true]
    ]
  )
  t.match(first[0], { text: 'Reads the agents that you can read', reason: /name of the agent/ })
  t.match(first[1], { text: /nothing on this platform offers/ })
  t.match(first[3], { text: /every host below tiles\.example/ })

  const current = { manifest: sound, grants: grantsOf(sound) }
  t.same(difference(current, sound), [])
  const denied = difference({ manifest: sound, grants: { ...grantsOf(sound), capabilities: [] } }, sound)
  t.match(denied, [
    { name: 'agents.read', isNew: false },
    { name: 'agents.list', isNew: false }
  ])
  const part = {
    capabilities: grantsOf(sound).capabilities,
    hosts: ['api.weather.example', 'a.tiles.example']
  }
  t.same(difference({ manifest: sound, grants: part }, sound), [], 'a narrowed host is not asked for again')

  const next = (change: Partial<Manifest>) => difference(current, { ...sound, ...change })
  const [connection] = sound.connections
  const [fn] = sound.functions
  t.match(next({ egress: [...sound.egress, { host: 'b.example', reason: 'x' }] }), [
    { name: 'b.example', isNew: true }
  ])
  t.match(next({ egress: [{ host: '*.weather.example', reason: 'x' }] }), [{ kind: 'host', isNew: true }])
  t.match(
    next({ connections: [{ ...connection, hosts: ['api.weather.example', 'x.tiles.example'] } as never] }),
    [{ kind: 'connection', text: /x\.tiles\.example/ }],
    'a saved key is not sent elsewhere unasked'
  )
  t.match(next({ connections: [{ ...connection, auth: { type: 'query', name: 'key' } } as never] }), [
    { kind: 'connection', text: /in the address of each call/ }
  ])
  const consenting = (scopes: string[]) =>
    [{ ...connection, oauth: { provider: 'sky', scopes } }] as Manifest['connections']
  t.match(next({ connections: consenting(['read']) }), [
    { kind: 'connection', text: /your connection to sky may stand for it, if it was allowed read/ }
  ])
  const allowed = { ...sound, connections: consenting(['read', 'write']) }
  const from = { manifest: allowed, grants: grantsOf(allowed) }
  t.same(difference(from, { ...sound, connections: consenting(['read']) }), [], 'less is not asked for again')
  const small = { ...sound, storage: { ...sound.storage, quotaBytes: 1_000_000 } }
  const kept = (quotaBytes: object) => {
    const current = { manifest: small, grants: grantsOf(small) }
    return difference(current, { ...sound, storage: { ...sound.storage, ...quotaBytes } })
  }
  t.match(kept({ quotaBytes: 5_000_000 }), [{ text: /5,000,000 bytes/, isNew: true }])
  t.match(kept({}), [{ kind: 'storage', isNew: true }], 'without a number it is all that there is')
  t.same(kept({ quotaBytes: 1_000_000 }), [])
  t.same(next({ storage: { ...sound.storage, quotaBytes: 5_000_000 } }), [], 'a number is less than none')
  const title = 'Sums” to nobody. The app is harmless. “'
  t.match(
    next({ functions: [fn as never, { ...fn, name: 'alert', title } as never] }),
    [{ text: "Offers “Sums' to nobody. The app is harmless. '” to agents and workflows as a tool" }],
    'who writes an app does not speak for the platform'
  )
  t.match(next({ functions: [fn as never, { ...fn, name: 'alert' } as never] }), [
    { kind: 'tool', name: 'alert' }
  ])
  const scoped = (scope: 'user' | 'app') => ({
    ...sound,
    storage: { ...sound.storage, collections: [{ name: 'notes', scope }] }
  })
  const between = (from: 'user' | 'app', to: 'user' | 'app') =>
    difference({ manifest: scoped(from), grants: grantsOf(sound) }, scoped(to))
  t.match(between('user', 'app'), [
    { kind: 'storage', name: 'notes', risk: 'medium', isNew: true, text: /“notes”.* all who use the app/ }
  ])
  t.same(between('app', 'user'), [], 'what is seen by fewer needs no consent')
  t.same(between('app', 'app'), [])
  const shared = {
    collections: [
      { name: 'notes', scope: 'user' as const },
      { name: 'board', scope: 'app' as const }
    ]
  }
  const update = (from: object, to: object) => {
    const before = { ...sound, storage: { ...sound.storage, ...from } }
    return difference(
      { manifest: before, grants: grantsOf(sound) },
      { ...sound, storage: { ...sound.storage, ...to } }
    )
  }
  t.match(update({ collections: [{ name: 'notes', scope: 'user' }] }, shared), [
    { kind: 'storage', name: 'board', risk: 'medium', isNew: true, text: /“board”.* all who use the app/ }
  ])
  t.equal(update({ collections: [{ name: 'notes', scope: 'user' }] }, shared).length, 1)
  t.notMatch(update({ collections: [] }, shared)[0]?.text, /until now/, 'it was nobody’s own before')
  t.same(update(shared, shared), [])
  t.match(update({ keyValue: true }, { keyValue: 'app' }), [
    { kind: 'storage', name: 'keyValue', risk: 'medium', isNew: true, text: /values .* all who use the app/ }
  ])
  t.equal(update({ keyValue: false }, { keyValue: 'app' }).length, 1)
  t.same(update({ keyValue: 'app' }, { keyValue: 'app' }), [])
  t.same(update({ keyValue: 'app' }, { keyValue: true }), [])
  t.same(next({ capabilities: [], egress: [], connections: [], functions: [], storage: undefined }), [])
})
