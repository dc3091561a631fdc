// servers: PostgreSQL and Redis
import type { Test } from 'tap'
import t from 'tap'
import { boot } from '../boot.ts'
import type { Client, Reply } from '../client.ts'
import { probeFolder } from './probe.ts'
import { refused } from './refused.ts'
import { openWire, requestText, say } from './wire.ts'

/** Asks so often, all at once; how many were let in, and one that was not. */
async function many(count: number, ask: (turn: number) => Promise<Reply>) {
  const replies = await Promise.all(Array.from({ length: count }, (_, turn) => ask(turn)))
  const limited = replies.find(({ status }) => status === 429)
  const others = replies.filter(({ status }) => status !== 200 && status !== 429)
  if (others.length > 0) throw new Error(`Answered ${others.map(({ status }) => status)}`)
  return { let: replies.filter(({ status }) => status === 200).length, limited: limited as Reply }
}

/** The wait stands in the header and in the message, in whole seconds of the window. */
function says(t: Test, reply: Reply) {
  const seconds = Number(reply.headers.get('retry-after'))
  t.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`)
  refused(t, reply, 429, { message: new RegExp(`Retry-After: ${seconds}$`) })
}

t.test('of the gateway: a project, on all instances together', async (t) => {
  const env = { GATEWAY_LIMIT_PER_MINUTE: '12' }
  const one = await boot(t, 'goals', { env })
  const two = await boot(t, 'goals', { env, beside: one })
  const key = { authorization: `Bearer ${await one.as('ada').key()}` }
  const bob = { authorization: `Bearer ${await one.as('bob').key()}` }
  const at = [one.anyone, two.anyone]
  const ask = (turn: number) => (at[turn % 2] as Client).get('/v1/agents', turn % 3 ? key : bob)
  const { let: let_, limited } = await many(40, ask)
  t.equal(let_, 12)
  says(t, limited)
  t.match(await one.as('cy', { project: 'other' }).get('/v1/agents'), { status: 200 }, 'another project')
  t.match(await one.anyone.get('/health'), { status: 200 })
  refused(t, await one.anyone.get('/v1/agents'), 401)
})

t.test('a limit above the size of a lease is never exceeded either', async (t) => {
  const env = { GATEWAY_LIMIT_PER_MINUTE: '200' }
  const one = await boot(t, 'goals', { env })
  const two = await boot(t, 'goals', { env, beside: one })
  const key = { authorization: `Bearer ${await one.as('ada').key()}` }
  let total = 0
  for (let round = 0; round < 6; round++)
    total += (await many(50, (turn) => (turn % 2 ? one : two).anyone.get('/v1/auth/me', key))).let
  t.ok(total <= 200 && total >= 170, `${total} of 200`)
})

t.test('of an agent: counted once a request', async (t) => {
  const { as } = await boot(t, 'goals', 'probe', {
    env: { PLATFORM_LIMIT_PER_MINUTE: '6' },
    folders: [await probeFolder(t)]
  })
  const ada = as('ada')
  const [agent, other] = [await ada.agent(), await ada.agent()]
  const { let: let_, limited } = await many(20, () => ada.get(`/v1/probe/agents/${agent.id}`))
  t.equal(let_, 6, 'however often the request asks for it')
  says(t, limited)
  refused(t, await ada.get(`/v1/agents/${agent.id}`), 429, { message: /agent/ }, 'by path')
  refused(t, await ada.post('/v1/goals', { agentId: agent.id, title: 'x' }), 429, {}, 'by body')
  t.match(await ada.get(`/v1/agents/${other.id}`), { status: 200 }, 'another agent')
  t.match(await ada.get('/v1/agents'), { status: 200 }, 'no agent')
})

t.test('of sensitive routes: a user and route', async (t) => {
  const { as } = await boot(t, { folders: [await probeFolder(t)], env: { SENSITIVE_LIMIT_PER_MINUTE: '4' } })
  const [ada, bob] = [as('ada'), as('bob')]
  const { let: let_, limited } = await many(10, () => ada.post('/v1/probe/sensitive'))
  t.equal(let_, 4)
  says(t, limited)
  t.match(await bob.post('/v1/probe/sensitive'), { status: 200 }, 'another user')
  t.match(await ada.post('/v1/auth/api-keys', { name: 'x' }), { status: 201 }, 'another route')
  t.match(await ada.get('/v1/auth/me'), { status: 200 })
  const again = as('ada', { scopes: ['probe:write'] })
  refused(t, await again.post('/v1/probe/sensitive'), 429, {}, 'another key of the same user')
  for (let count = 0; count < 3; count++) await ada.post('/v1/auth/api-keys', { name: 'x' })
  refused(t, await ada.post('/v1/auth/api-keys', { name: 'x' }), 429)
})

t.test('of who asks without a credential: an address, as far as it is believed', async (t) => {
  const folders = [await probeFolder(t)]
  const packs = ['probe']
  const env = { ANONYMOUS_LIMIT_PER_MINUTE: '5' }
  const from = (address: string) => ({ 'x-forwarded-for': address })

  await t.test('nobody', async (t) => {
    const { anyone, url } = await boot(t, { packs, folders, env })
    t.match(await anyone.get('/v1/probe/public', from('198.51.100.1')), {
      body: { data: { ip: '127.0.0.1' } }
    })
    const { let: let_, limited } = await many(9, (turn) =>
      anyone.get('/v1/probe/public', from(`198.51.100.${turn}`))
    )
    t.equal(let_, 4, 'a header changes nothing')
    says(t, limited)
    const upgrade = { connection: 'upgrade', upgrade: 'websocket' }
    refused(
      t,
      await say(t, url, requestText('GET', '/v1/probe/socket', upgrade)),
      429,
      {},
      'upgrades count too'
    )
  })

  await t.test('a number of proxies', async (t) => {
    const { anyone } = await boot(t, { packs, folders, env: { ...env, TRUST_PROXY: '1' } })
    const spoofed = '198.51.100.1, 203.0.113.5'
    t.match(await anyone.get('/v1/probe/public', from(spoofed)), { body: { data: { ip: '203.0.113.5' } } })
    const { let: let_ } = await many(9, (turn) =>
      anyone.get('/v1/probe/public', from(`198.51.100.${turn}, 203.0.113.5`))
    )
    t.equal(let_, 4, 'what the caller put before changes nothing')
    t.match(await anyone.get('/v1/probe/public', from('203.0.113.6')), { status: 200 })
  })

  await t.test('named proxies', async (t) => {
    const { anyone, url } = await boot(t, {
      packs,
      folders,
      env: { ...env, TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8', ANONYMOUS_LIMIT_PER_MINUTE: '100' }
    })
    t.match(await anyone.get('/v1/probe/public', from('198.51.100.1, 203.0.113.5, 10.1.2.3')), {
      body: { data: { ip: '203.0.113.5' } }
    })
    for (const odd of ['', ',', 'unknown', '::1', '"[2001:db8::1]:80"', 'a'.repeat(2_000)])
      t.match(await anyone.get('/v1/probe/public', from(odd)), { status: 200 }, odd.slice(0, 20))
    const wire = await openWire(t, url)
    wire.send(requestText('GET', '/v1/probe/public', { 'x-forwarded-for': '1\r\nx-forwarded-for: 2' }))
    t.match(await wire.reply(), { status: 200 })
  })
})
