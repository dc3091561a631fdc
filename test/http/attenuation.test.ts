import type { KeyObject } from 'node:crypto'
import { createHash, createPrivateKey, generateKeyPairSync, hkdfSync, sign } from 'node:crypto'
import { inspect, narrow, seal } from 'agent-platform-client'
import fc from 'fast-check'
import t from 'tap'
import { isVerified, readChain } from '../../kernel/identity/attenuation/chain.ts'
import { makeKey } from '../../kernel/identity/keys.ts'
import { boot } from '../boot.ts'
import { createClient } from '../client.ts'
import { probeFolder } from './probe.ts'
import { refused } from './refused.ts'
import { openWire, requestText } from './wire.ts'

const lines: string[] = []
const booted = await boot(t, 'sessions', 'goals', {
  folders: [await probeFolder(t)],
  packs: ['access', 'agents', 'sessions', 'goals', 'probe'],
  log: (line) => lines.push(JSON.stringify(line))
})
const { url, as, platform } = booted
const ada = as('ada')
const [agent, other] = [await ada.agent(), await ada.agent()]
const key = await ada.key()
const holding = (token: string) => createClient(url, 'holder', token)
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
const token = { code: 'token_refused' }

t.test('a token is what its key is, less what was taken away', async (t) => {
  const whole = holding(await narrow(key, {}))
  t.match(await whole.get('/v1/auth/me'), {
    status: 200,
    body: { data: { principalId: 'ada', narrowed: false } }
  })
  t.match(await whole.get(`/v1/agents/${other.id}`), { status: 200 })

  const reader = await narrow(key, { scopes: ['agents:read'], expires: inHours(1) })
  t.match(await holding(reader).get('/v1/agents'), { status: 200 })
  refused(t, await holding(reader).get(`/v1/sessions/agent/${agent.id}`), 403, { code: 'scope_missing' })
  const none = await narrow(reader, { scopes: ['sessions:read', 'platform:admin'] })
  refused(t, await holding(none).get('/v1/agents'), 403, { code: 'scope_missing' })
  refused(t, await holding(none).get(`/v1/sessions/agent/${agent.id}`), 403, { code: 'scope_missing' })
  const sealed = await seal(reader)
  t.match(await holding(sealed).get('/v1/agents'), { status: 200 })
  await t.rejects(narrow(sealed, {}), /sealed/)
  t.match(inspect(sealed), { sealed: true, blocks: [{ scopes: ['agents:read'] }] })
})

t.test('it makes no keys, grants or agents, and nothing that no route lets it', async (t) => {
  const holder = holding(await narrow(key, {}))
  for (const [method, path, body] of [
    ['POST', '/v1/auth/api-keys', { name: 'mine' }],
    ['POST', '/v1/agents', { name: 'Mine' }],
    ['PUT', `/v1/agents/${agent.id}`, { name: 'Mine' }],
    ['DELETE', `/v1/agents/${agent.id}`, undefined],
    ['GET', '/v1/auth/api-keys', undefined],
    ['POST', '/v1/goals', { agentId: agent.id, title: 'x' }]
  ] as const) {
    const sent = {
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
    }
    refused(t, await holder.request(method, path, sent), 403, token, `${method} ${path}`)
  }
  const admin = holding(await narrow(await booted.admin.key(), {}))
  refused(t, await admin.get('/v1/probe/admin'), 403, token, 'also of a key with platform:admin')
  const wire = await openWire(t, url)
  const upgrade = {
    connection: 'upgrade',
    upgrade: 'websocket',
    authorization: `Bearer ${await narrow(key, {})}`
  }
  wire.send(requestText('GET', '/v1/probe/socket', upgrade))
  t.match(await wire.reply(), { status: 403, text: /token_refused/ }, 'a socket')
  const by = (await platform.credentials.resolve(await narrow(key, {})))?.principal
  await t.rejects(platform.credentials.issue(by as never, { name: 'x' }), { code: 'token_refused' } as never)
  await t.rejects(platform.credentials.mint(by as never, null, 60), { code: 'token_refused' } as never)
})

t.test('for some agents: what belongs to them, and nothing else', async (t) => {
  const holder = holding(await narrow(key, { agents: [agent.id] }))
  const sessionOf = async ({ id: agentId }: { id: string }) =>
    (await ada.post('/v1/sessions', { agentId })).body.data.id as string
  const [own, foreign] = [await sessionOf(agent), await sessionOf(other)]
  t.match((await holder.get('/v1/agents')).body.data, [{ id: agent.id }])
  t.equal((await holder.get('/v1/agents')).body.data.length, 1)
  t.match(await holder.get(`/v1/agents/${agent.id}`), { status: 200 })
  t.match(await holder.get(`/v1/agents/${agent.id}/knowledgebase`), { status: 200 })
  t.match(await holder.get(`/v1/sessions/${own}`), { status: 200 })
  t.match(await holder.post('/v1/sessions', { agentId: agent.id }), { status: 201 })
  refused(t, await holder.get(`/v1/agents/${other.id}`), 403, token)
  refused(t, await holder.get(`/v1/agents/${other.id}/knowledgebase`), 403, token)
  refused(t, await holder.get(`/v1/sessions/${foreign}`), 403, token)
  refused(t, await holder.get(`/v1/sessions/agent/${other.id}`), 403, token)
  refused(t, await holder.post('/v1/sessions', { agentId: other.id }), 403, { ...token, param: '/agentId' })
  refused(t, await holder.get('/v1/agents?owner=ada'), 403, { ...token, param: 'owner' })
  refused(t, await holder.get('/v1/agents/agent_01k4qz0000e0080000000000ab'), 404)
  const sessions = (await holder.get('/v1/sessions/user/ada')).body.data as { agentId: string }[]
  t.ok(sessions.length > 0 && sessions.every(({ agentId }) => agentId === agent.id))

  const nothing = holding(await narrow(await narrow(key, { agents: [agent.id] }), { agents: [other.id] }))
  for (const { id } of [agent, other]) refused(t, await nothing.get(`/v1/agents/${id}`), 403, token)
  t.same((await nothing.get('/v1/agents')).body.data, [])
  const eve = holding(await narrow(await as('eve').key(), { agents: [agent.id] }))
  refused(t, await eve.get(`/v1/agents/${agent.id}`), 403, { code: 'not_owner' }, 'nobody gets more by that')
})

t.test('a service narrows its key, and acts by it for others as by the key', async (t) => {
  const crm = as('crm', { type: 'service' })
  const ofAnn = { 'x-initiator': 'ann' }
  const made = async (initiator: string) =>
    (await crm.post('/v1/agents', { name: 'Hers' }, { 'x-initiator': initiator })).body.data as { id: string }
  const [hers, second, his] = [await made('ann'), await made('ann'), await made('ben')]
  const holder = holding(await narrow(await crm.key(), { agents: [hers.id, his.id] }))
  t.match((await holder.get('/v1/agents', ofAnn)).body.data, [{ id: hers.id }])
  t.match(await holder.get(`/v1/agents/${hers.id}`, ofAnn), { status: 200 })
  refused(t, await holder.get(`/v1/agents/${second.id}`, ofAnn), 403, token)
  refused(t, await holder.get(`/v1/agents/${his.id}`, ofAnn), 403, { code: 'not_owner' })
  t.equal((await holder.get('/v1/agents')).body.data.length, 2, 'for itself both, and no third')

  const ofAgent = await as(agent.id, { type: 'agent', owner: 'ada' }).key()
  t.match(await holding(await narrow(ofAgent, { agents: [agent.id] })).get(`/v1/agents/${agent.id}`), {
    status: 200
  })
  refused(t, await holding(await narrow(ofAgent, { agents: [other.id] })).get(`/v1/agents/${agent.id}`), 403)
  refused(t, await holding(await narrow(ofAgent, { agents: [other.id] })).get(`/v1/agents/${other.id}`), 403)
})

t.test('it ends by the clock of the server', async (t) => {
  refused(t, await holding(await narrow(key, { expires: new Date(Date.now() - 1) })).get('/v1/agents'), 401)
  const renewed = await narrow(await narrow(key, { expires: inHours(-1) }), { expires: inHours(1) })
  refused(t, await holding(renewed).get('/v1/agents'), 401, {}, 'a later end brings nothing back')
})

t.test('it goes with its key', async (t) => {
  const made = (await ada.post('/v1/auth/api-keys', { name: 'short' })).body.data as {
    id: string
    key: string
  }
  const child = holding(await narrow(await narrow(made.key, {}), { agents: [agent.id] }))
  t.match(await child.get('/v1/agents'), { status: 200 }, 'a key that was never used itself')
  await ada.delete(`/v1/auth/api-keys/${made.id}`)
  refused(t, await child.get('/v1/agents'), 401)

  const old = await as('grace').key()
  const credentials = () => platform.knex('kernel.credential').where({ principal: 'grace' })
  await credentials().update({ root: null })
  const ofOld = holding(await narrow(old, {}))
  refused(t, await ofOld.get('/v1/auth/me'), 401, {}, 'made before there were tokens')
  t.match(await as('grace').get('/v1/auth/me'), { status: 200 })
  t.match(await ofOld.get('/v1/auth/me'), { status: 200 }, 'once it was used')
  await platform.knex('kernel.principal').where({ id: 'grace' }).update({ disabledAt: new Date() })
  t.equal(await platform.credentials.resolve(await narrow(old, {})), undefined)
})

t.test('what was forged, cut, mixed or is too much is no token', async (t) => {
  const [first, second] = [await narrow(key, { agents: [agent.id] }), await narrow(key, {})]
  const long = await narrow(await narrow(first, { scopes: ['agents:read'] }), { tools: ['x'] })
  const parts = long.slice(4).split('.')
  const [root = '', ...rest] = parts.slice(0, -1)
  const proof = parts.at(-1) as string
  const three = [0, 3, 6].map((at) => rest.slice(at, at + 3))
  const [one = [], two = [], last = []] = three
  const join = (...all: (string | string[])[]) => `apn_${all.flat().join('.')}`
  const own = generateKeyPairSync('ed25519').privateKey
  const { x } = own.export({ format: 'jwk' })
  const signed = (text: string) => sign(null, Buffer.from(text), own).toString('base64url')
  const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const { key: unknown } = makeKey('ap_live_')
  const chain = readChain(long)
  t.ok(chain && isVerified(chain), 'as it is')

  const all: Record<string, string> = {
    'a block at the end cut': join(root, one, two, proof),
    'the middle cut': join(root, one, last, proof),
    'no block': join(root, proof),
    'no proof': join(root, ...three),
    'in another order': join(root, two, one, last, proof),
    'the proof of another': join(root, ...three, second.split('.').at(-1) as string),
    'a seal by another': join(root, ...three, `s${signed(chain?.blocks.at(-1)?.id ?? '')}`),
    'under the root of another': join(x as string, ...three, proof),
    'with blocks of another': join(root, second.slice(4).split('.').slice(1, 4), last, proof),
    'a block of its own': forged(key, {}, own),
    'restrictions changed': join(root, [json({}), ...one.slice(1)], two, last, proof),
    'an unknown restriction': forged(key, { ip: ['10.0.0.1'] }),
    'of no key': await narrow(unknown, {}),
    'a byte too much': `${long}A`,
    padded: `${long}=`,
    'the key itself as a proof': join(root, ...three, `k${root}`),
    'too long': forged(key, { tools: Array(60).fill('x'.repeat(60)) }),
    'too many blocks': await deep(key, 9)
  }
  for (const [name, text] of Object.entries(all)) {
    const reply = await holding(text).get('/v1/auth/me')
    refused(t, reply, 401, {}, name)
    t.notOk(reply.text.includes(text.slice(10, 40)), `${name}: nothing of it is said`)
  }
  t.match(await holding(await deep(key, 8)).get('/v1/auth/me'), { status: 200 }, 'as many as there may be')
  t.match(await holding(forged(key, {})).get('/v1/auth/me'), { status: 200 }, 'made by other code')
  await t.rejects(narrow(await deep(key, 8), {}), RangeError)
  await t.rejects(narrow(key, { ip: [] } as never), /no restriction ip/)
  await t.rejects(narrow('apt_x', {}), /neither/)
  await t.rejects(narrow('apn_x', {}), /no token/)
  t.throws(() => inspect(key), /no token/)
})

t.test('any letter of it counts', async (t) => {
  const text = await seal(await narrow(await narrow(key, { agents: [agent.id] }), { spend: '1' }))
  const letters = 'ABCDwxyz0189-_.'
  const property = fc.property(fc.nat(text.length - 1), fc.constantFrom(...letters), (at, letter) => {
    const changed = text.slice(0, at) + letter + text.slice(at + 1)
    const chain = readChain(changed)
    return changed === text || !chain || !isVerified(chain)
  })
  t.match(fc.check(property), { failed: false, counterexample: null })
})

t.test('no log has one', async (t) => {
  t.ok(lines.length > 0)
  t.notMatch(lines.join('\n'), /apn_|ap_test_[0-9A-Za-z]{20}/)
})

/** A token of one block with any restrictions, signed by the key itself, or by another one. */
function forged(apiKey: string, restrictions: object, signer?: KeyObject): string {
  const seed = Buffer.from(hkdfSync('sha256', apiKey, '', 'agent-platform token root 1', 32))
  const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  const own = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' })
  const { x: root = '' } = own.export({ format: 'jwk' })
  const { d, x: next } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const text = Buffer.from(JSON.stringify(restrictions)).toString('base64url')
  const digest = createHash('sha256').update(`${root}.${text}.${next}`).digest('base64url')
  const signature = sign(null, Buffer.from(`agent-platform token block 1\n${digest}`), signer ?? own)
  return `apn_${[root, text, next, signature.toString('base64url'), `k${d}`].join('.')}`
}

/** So many blocks, also more than the library makes. */
async function deep(key: string, count: number): Promise<string> {
  let text = await narrow(key, {})
  for (let blocks = 1; blocks < Math.min(count, 8); blocks++) text = await narrow(text, {})
  if (count <= 8) return text
  const parts = text.slice(4).split('.')
  return `apn_${[...parts.slice(0, -1), ...parts.slice(1, 4), parts.at(-1)].join('.')}`
}
