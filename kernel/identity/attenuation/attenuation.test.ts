import fc from 'fast-check'
import t from 'tap'
import { authorize } from '../../http/authorization.ts'
import type { Owned, Principal } from '../ownership.ts'
import { owned, reaches } from '../ownership.ts'
import { ADMIN_SCOPE, needOf, SCOPES } from '../scopes.ts'
import { attenuated } from './attenuation.ts'
import type { Block } from './chain.ts'
import type { Restrictions } from './restrictions.ts'
import { readRestrictions } from './restrictions.ts'
import { mayCall, mayReach } from './rights.ts'

const SOME_SCOPES = [...SCOPES.slice(0, 4), ADMIN_SCOPE, 'goals:read', 'goals:write']
const AGENTS = ['agent_a', 'agent_b', 'agent_c']
const TOOLS = ['calculator', 'tool_1', 'find']
const HOSTS = ['example.com', '*.example.com', 'example.com:8443', '[::1]:80', 'other.org']
const URLS = ['https://example.com/', 'https://a.example.com/', 'https://example.com:8443/', 'http://[::1]/']

const some = (of: readonly string[]) => fc.subarray([...of])
const restrictions: fc.Arbitrary<Restrictions> = fc.record(
  {
    expires: fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((at) => at.toISOString()),
    scopes: some(SOME_SCOPES),
    agents: some(AGENTS),
    tools: some(TOOLS),
    hosts: some(HOSTS),
    spend: fc.nat(100).map(String)
  },
  { requiredKeys: [] }
)
const blocks = fc.array(restrictions, { minLength: 1, maxLength: 4 })
const principal: fc.Arbitrary<Principal> = fc
  .record({
    type: fc.constantFrom('user', 'agent', 'service'),
    scopes: some(SOME_SCOPES),
    narrowed: fc.boolean(),
    id: fc.constantFrom('ada', 'agent_a')
  })
  .map(({ type, scopes, ...one }) => ({
    ...{ ...one, type, project: 'p', owner: 'ada', credential: 'key_1' },
    scopes: new Set(scopes)
  }))

const blockOf = (restrictions: Restrictions, index: number): Block => ({
  ...{ restrictions, id: `block ${index}`, next: Buffer.alloc(32), signature: Buffer.alloc(64) }
})
const narrowedBy = (by: Principal, all: readonly Restrictions[]) =>
  all.length === 0 ? by : attenuated(by, all.map(blockOf))

type Row = Owned & { id?: string; agentId?: string }
const rows: readonly Row[] = [...AGENTS, undefined].flatMap((agent) => [
  { project: 'p', owner: 'ada', ...(agent && { agentId: agent }) },
  { project: 'p', owner: 'ada', id: agent ?? 'session_1' },
  { project: 'p', owner: 'eve', ...(agent && { agentId: agent }) }
])
const isLet = (work: () => unknown) => {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** All that a principal may, as texts. */
function allowed(by: Principal): Set<string> {
  const all = new Set<string>()
  const note = (what: string, is: boolean) => is && all.add(what)
  for (const tokens of ['whole', 'agents'] as const)
    for (const [path, scope] of [
      ['/v1/goals', undefined],
      ['/v1/agents', ['agents:read', 'agents:run']],
      ['/v1/admin', [ADMIN_SCOPE]],
      ['/v1/always', ['goals:read']],
      ['/v1/me', []]
    ] as const)
      for (const method of ['GET', 'POST']) {
        const wanted = {
          need: needOf(method, path, scope),
          principals: undefined,
          tokens,
          sensitive: undefined
        }
        note(
          `${tokens} ${method} ${path}`,
          isLet(() => authorize(by, undefined, wanted))
        )
      }
  for (const verb of ['read', 'run', 'change'] as const)
    for (const [at, row] of rows.entries()) {
      note(`${verb} row ${at}`, reaches(by, row, verb))
      note(
        `${verb} owned ${at}`,
        isLet(() => owned(by, row, 'Row', verb))
      )
      note(
        `${verb} granted ${at}`,
        isLet(() => owned(by, row, 'Row', verb, { granted: true }))
      )
    }
  for (const name of TOOLS)
    for (const tokens of [undefined, 'calls', 'hosts'] as const)
      note(`call ${name} ${tokens}`, mayCall(by, { name, id: 'tool_1', tokens }))
  for (const url of URLS) note(`reach ${url}`, mayReach(by, new URL(url)))
  for (const scope of [...SCOPES, ADMIN_SCOPE]) note(`has ${scope}`, by.scopes.has(scope))
  return all
}

t.test('a further block never gives anything back', async () => {
  fc.assert(
    fc.property(principal, blocks, (by, all) => {
      const may = all.map((_, index) => allowed(narrowedBy(by, all.slice(0, index + 1))))
      return [allowed(by), ...may].every((set, index, sets) => {
        const next = sets[index + 1]
        return !next || [...next].every((what) => set.has(what))
      })
    })
  )
})

t.test(
  'what is left does not depend on the order, and a block says no more than what it takes away',
  async () => {
    fc.assert(
      fc.property(principal, blocks, (by, all) => {
        const [one, other] = [allowed(narrowedBy(by, all)), allowed(narrowedBy(by, all.toReversed()))]
        return one.size === other.size && [...one].every((what) => other.has(what))
      })
    )
    fc.assert(
      fc.property(principal, blocks, (by, all) => {
        const { attenuation } = narrowedBy(by, all)
        const ends = all.flatMap(({ expires }) => (expires === undefined ? [] : [Date.parse(expires)]))
        const spending = all.filter(({ spend }) => spend !== undefined).length
        const isSoonest = attenuation?.endsAt === (ends.length === 0 ? undefined : Math.min(...ends))
        const isWithin =
          attenuation?.spend?.every(({ endsAt = Infinity }) => endsAt >= (attenuation.endsAt ?? Infinity)) ??
          true
        return isSoonest && isWithin && (attenuation?.spend?.length ?? 0) === spending
      })
    )
  }
)

t.test('hosts, by name, port and what lies below', async (t) => {
  const by = (hosts: string[]) =>
    narrowedBy({ type: 'user', scopes: new Set(), narrowed: false } as never, [{ hosts }])
  const row = (host: string, url: string) => mayReach(by([host]), new URL(url))
  t.ok(row('example.com', 'https://EXAMPLE.com./x'))
  t.ok(row('example.com:80', 'http://example.com/'))
  t.ok(row('*.example.com', 'https://a.b.example.com/'))
  t.ok(row('[::1]:8080', 'http://[::1]:8080/'))
  for (const [host, url] of [
    ['example.com', 'http://example.com/'],
    ['example.com', 'https://example.com:8443/'],
    ['example.com', 'https://a.example.com/'],
    ['example.com', 'https://notexample.com/'],
    ['*.example.com', 'https://example.com/'],
    ['*.example.com', 'https://evilexample.com/'],
    ['127.0.0.1:80', 'http://127.0.0.1:8080/']
  ] as const)
    t.notOk(row(host, url), `${host} ${url}`)
  t.notOk(mayReach(by([]), new URL('https://example.com/')), 'none')
})

t.test('what is not known, or not of its form, is no restriction', async (t) => {
  fc.assert(
    fc.property(
      restrictions,
      (one) => JSON.stringify(readRestrictions(JSON.stringify(one))) === JSON.stringify(one)
    )
  )
  t.same(readRestrictions('{}'), {})
  for (const text of [
    '',
    'null',
    '[]',
    '"x"',
    '{"ip":["10.0.0.1"]}',
    '{"__proto__":{}}',
    '{"constructor":1}',
    '{"toString":[]}',
    '{"scopes":"agents:read"}',
    '{"scopes":["all"]}',
    '{"scopes":[1]}',
    '{"agents":["a b"]}',
    '{"agents":[""]}',
    `{"agents":${JSON.stringify(Array(101).fill('agent_a'))}}`,
    `{"tools":["${'x'.repeat(201)}"]}`,
    '{"expires":1}',
    '{"expires":"2026-13-01T00:00:00Z"}',
    '{"expires":"2026-01-01"}',
    '{"expires":"2026-01-01T00:00:00+02:00"}',
    '{"hosts":["https://example.com"]}',
    '{"hosts":["Example.com"]}',
    '{"hosts":["a*b.com"]}',
    '{"spend":5}',
    '{"spend":"-1"}',
    '{"spend":"1.0000001"}',
    '{"spend":"1e3"}'
  ])
    t.equal(readRestrictions(text), undefined, text.slice(0, 60))
})
