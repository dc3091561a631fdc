import { once } from 'node:events'
import t from 'tap'
import { boot } from '../boot.ts'
import { probe, probeFolder } from './probe.ts'
import { refused } from './refused.ts'

let count = 0
const key = () => ({ 'idempotency-key': `key-${++count}` })
const replayed = { get: (headers: Headers) => headers.get('idempotency-replayed') }

t.test('a repeated request gets the first reply', async (t) => {
  const one = await boot(t, 'goals')
  const two = await boot(t, 'goals', { beside: one })
  const ada = one.as('ada')
  const headers = key()
  const first = await ada.post('/v1/agents', { name: 'Once', temperature: 1 }, headers)
  t.equal(first.status, 201)
  t.equal(replayed.get(first.headers), null)

  const authorization = `Bearer ${await ada.key()}`
  for (const [again, where] of [
    [await ada.post('/v1/agents', { name: 'Once', temperature: 1 }, headers), 'here'],
    [await ada.post('/v1/agents', { temperature: 1, name: 'Once' }, headers), 'in another order'],
    [
      await two.anyone.post('/v1/agents', { name: 'Once', temperature: 1 }, { ...headers, authorization }),
      'elsewhere'
    ]
  ] as const) {
    t.match(again, { status: 201, text: first.text }, where)
    t.equal(replayed.get(again.headers), 'true')
    t.equal(again.headers.get('etag'), first.headers.get('etag'))
    t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
  }
  refused(t, await ada.post('/v1/agents', { name: 'Twice' }, headers), 409, {
    code: 'idempotency_key_reused'
  })
  refused(
    t,
    await ada.post('/v1/agents', { name: 'Once', nmae: 1 }, headers),
    400,
    { param: '/nmae' },
    'validation comes first'
  )
  t.equal((await ada.get('/v1/agents')).body.data.length, 1)
})

t.test('a key is of one principal, initiator, method and path', async (t) => {
  const { as } = await boot(t, 'goals')
  const headers = key()
  const [ada, bob, bot] = [as('ada'), as('bob'), as('bot', { type: 'service' })]
  const owners = new Set<string>()
  for (const [client, more] of [
    [ada, {}],
    [bob, {}],
    [bot, {}],
    [bot, { 'x-initiator': 'ann' }],
    [bot, { 'x-initiator': 'ben' }],
    [as('ada', { project: 'other' }), {}]
  ] as const) {
    const reply = await client.post('/v1/agents', { name: 'Mine' }, { ...headers, ...more })
    t.equal(reply.status, 201)
    t.equal(replayed.get(reply.headers), null)
    owners.add(reply.body.data.id)
  }
  t.equal(owners.size, 6)
  t.match(await ada.post('/v1/auth/api-keys', { name: 'Mine' }, headers), { status: 201 }, 'another path')
  t.match(await ada.get('/v1/agents', headers), { status: 200 }, 'a GET has none')
  for (const bad of ['a b', 'a'.repeat(256), 'ü'])
    refused(t, await ada.post('/v1/agents', { name: 'x' }, { 'idempotency-key': bad }), 400, {
      param: 'idempotency-key'
    })
})

t.test('while the first still runs', async (t) => {
  const { as } = await boot(t, { packs: ['probe'], folders: [await probeFolder(t)] })
  const ada = as('ada')
  const headers = key()
  const held = once(probe, 'held')
  const first = ada.post('/v1/probe/hold', {}, headers)
  await held
  refused(t, await ada.post('/v1/probe/hold', {}, headers), 409, { code: 'idempotency_in_progress' })
  probe.emit('release')
  t.match(await first, { status: 200 })
  const again = await ada.post('/v1/probe/hold', {}, headers)
  t.match(again, { status: 200, text: (await first).text })
  t.equal(replayed.get(again.headers), 'true')
})

t.test('of many at once one runs', async (t) => {
  const { as } = await boot(t, 'goals')
  const ada = as('ada')
  const headers = key()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => ada.post('/v1/agents', { name: 'Once' }, headers))
  )
  const made = replies.filter(({ status }) => status === 201)
  t.ok(made.length >= 1)
  t.equal(new Set(made.map(({ text }) => text)).size, 1)
  t.equal(made.filter(({ headers }) => replayed.get(headers) === null).length, 1)
  for (const reply of replies)
    if (reply.status !== 201) refused(t, reply, 409, { code: 'idempotency_in_progress' })
  t.equal((await ada.get('/v1/agents')).body.data.length, 1)
})

t.test('what is kept and what is not', async (t) => {
  const { as, platform } = await boot(t, { folders: [await probeFolder(t)] })
  const ada = as('ada')
  const headers = key()
  refused(t, await ada.post('/v1/probe/flaky', {}, headers), 500)
  const second = await ada.post('/v1/probe/flaky', {}, headers)
  t.match(second, { status: 200, body: { data: { attempts: 2 } } }, 'a 500 is tried again')
  t.equal(replayed.get(second.headers), null)
  t.match(await ada.post('/v1/probe/flaky', {}, headers), { body: { data: { attempts: 2 } } })

  const missing = key()
  const nobody = { agentId: 'agent_nope', title: 'x' }
  const refusal = await ada.post('/v1/goals', nobody, missing)
  refused(t, refusal, 404, { param: '/agentId' })
  const again = await ada.post('/v1/goals', nobody, missing)
  t.equal(again.status, 404)
  t.equal(replayed.get(again.headers), 'true', 'a 404 is an answer')

  const invalid = key()
  refused(t, await ada.post('/v1/agents', { name: 5 }, invalid), 400)
  t.match(
    await ada.post('/v1/agents', { name: 'Mended' }, invalid),
    { status: 201 },
    'validation comes before: what failed it was no first request'
  )
  refused(t, await ada.post('/v1/agents', { name: 5 }, invalid), 400)

  const secret = key()
  const made = await ada.post('/v1/auth/api-keys', { name: 'x' }, secret)
  t.match(made.body.data.key, /^apk_/)
  const shown = await ada.post('/v1/auth/api-keys', { name: 'x' }, secret)
  const { key: value, ...others } = made.body.data
  t.strictSame(shown.body, { data: others }, 'a secret is shown once')
  t.equal(replayed.get(shown.headers), 'true')
  const { rows } = await platform.knex.raw('select * from kernel.idempotency')
  t.ok(rows.length >= 3)
  for (const text of [value, `${secret['idempotency-key']}"`])
    t.notOk(JSON.stringify(rows).includes(text), 'and lies nowhere')
})

t.test('names that read alike when put together are still two', async (t) => {
  const { as } = await boot(t, 'agents')
  const key = { 'idempotency-key': 'alike' }
  const hers = await as('crm', { type: 'service' }).post(
    '/v1/agents',
    { name: 'A' },
    { ...key, 'x-initiator': 'x/crm/x' }
  )
  const his = await as('crm/x').post('/v1/agents', { name: 'A' }, key)
  t.equal(hers.body.data.owner, 'x/crm/x')
  t.equal(his.body.data.owner, 'crm/x', 'not the reply of the other')
})
