// budget: 5 s, because receivers answer over HTTP, on two instances
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { service } from '../../../test/loopback.ts'
import { until } from '../../../test/packs/stage.ts'

const options = {
  packs: ['access', 'agents', 'jobs', 'outgoing', 'models', 'sessions', 'runs', 'webhooks'],
  env: { OUTGOING_ALLOW: '127.0.0.1', WEBHOOKS_MOST: '12' }
}
const booted = await boot(t, options)
const { as, platform, anyone } = booted
const { knex } = platform
const [ada, eve] = [as('ada'), as('eve')]

let status = 200
const receiver = await service(t, (reply, { path }) => {
  if (path === '/moved') return reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  reply.writeHead(path === '/gone' ? 410 : status).end('It was <seen>')
})
const got = (path: string) => receiver.asked.filter((it) => it.path === path)
const make = async (path: string, fields: object = {}, client: Client = ada) => {
  const reply = await client.post('/v1/webhooks', {
    url: receiver.url + path,
    types: ['agents.*'],
    ...fields
  })
  if (reply.status !== 201) throw new Error(reply.text)
  return reply.body.data
}
const arrived = (path: string, count: number) =>
  until(
    async () => got(path).length,
    (length) => length >= count
  )
const deliveries = async (id: string, query = '') =>
  (await ada.get(`/v1/webhooks/${id}/deliveries${query}`)).body.data
const ended = (id: string, count: number) =>
  until(
    async () => (await deliveries(id)).filter(({ status }: { status: string }) => status !== 'pending'),
    (all) => all.length >= count
  )
const worker = (key: string) => {
  const found = platform.points.all('jobs.worker').find((it) => it.key === key)
  if (!found) throw new Error(`There is no worker ${key}`)
  return (data: object) => found.value.work(data, new AbortController().signal)
}

t.test('its owner is told what happened, signed, and of nothing else', async (t) => {
  const { id, secret, ...webhook } = await make('/ada', { description: 'Mine' })
  t.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  t.match(webhook, { owner: 'ada', active: true, scope: 'owner', failingSince: null, version: 1 })
  const others = await make('/eve', {}, eve)
  const agent = await ada.agent({ name: 'Ada', instructions: 'Tell nobody of this' })
  await eve.agent({ name: 'Eve' })
  await arrived('/ada', 1)
  await arrived('/eve', 1)
  const [told] = got('/ada') as [(typeof receiver.asked)[number]]
  const message = new Webhook(secret).verify(told.body, told.headers as Record<string, string>)
  t.match(message, {
    id: /^event_[0-9a-z]{26}$/,
    type: 'agents.created',
    owner: 'ada',
    data: { id: agent.id, name: 'Ada', version: 1 }
  })
  t.equal((message as { id: string }).id, told.headers['webhook-id'])
  t.notMatch(told.body, /Tell nobody/)
  t.throws(() => new Webhook(others.secret).verify(told.body, told.headers as Record<string, string>))
  t.match(await ended(id, 1), [
    { type: 'agents.created', status: 'delivered', attempts: 1, lastStatus: 200, nextAt: null }
  ])
  const [{ id: deliveryId }] = await deliveries(id)
  t.match((await ada.get(`/v1/webhooks/${id}/deliveries/${deliveryId}`)).body.data, {
    payload: { type: 'agents.created' },
    tried: [{ status: 200, error: null, reply: 'It was <seen>' }]
  })
  const kept = await knex('webhooks.webhook').where({ id }).first()
  t.notMatch(JSON.stringify(kept), secret.slice(6), 'the secret is sealed')
  const facts = await knex('kernel.fact').whereLike('name', 'webhooks.%').select('data')
  t.notMatch(JSON.stringify(facts), /127\.0\.0\.1|whsec/)
  for (const made of [
    { id, client: ada },
    { id: others.id, client: eve }
  ])
    await made.client.delete(`/v1/webhooks/${made.id}`)
})

t.test('a service is told of its whole project', async (t) => {
  const bot = as('bot', { type: 'service' })
  const { id, scope } = await make('/bot', { types: ['*'] }, bot)
  t.equal(scope, 'project')
  await ada.agent({ name: 'Hers' })
  await arrived('/bot', 1)
  t.match(got('/bot')[0]?.body, /"owner":"ada"/)
  await bot.delete(`/v1/webhooks/${id}`)
})

t.test('what fails is tried again, and can be sent once more under the same id', async (t) => {
  status = 500
  const { id } = await make('/fails')
  await ada.agent()
  await arrived('/fails', 1)
  const [first] = await until(
    () => deliveries(id),
    (all) => all[0]?.attempts === 1
  )
  t.match(first, { status: 'pending', lastStatus: 500, lastError: 'It answered 500' })
  t.ok(Date.parse(first.nextAt) - Date.parse(first.updatedAt) > 3_000)
  t.match((await ada.get(`/v1/webhooks/${id}`)).body.data, { failingSince: String, active: true })
  await worker('webhooks.deliver')({ deliveryId: first.id })
  t.equal(got('/fails').length, 1, 'not before its time')
  status = 200
  const replay = `/v1/webhooks/${id}/deliveries/${first.id}/replay`
  t.match(await eve.post(replay), { status: 403 })
  t.match(await ada.post(replay), { status: 200, body: { data: { status: 'pending' } } })
  await ended(id, 1)
  t.match(await deliveries(id, '?status=delivered'), [{ id: first.id, attempts: 2, lastError: null }])
  t.match((await ada.get(`/v1/webhooks/${id}`)).body.data, { failingSince: null })
  const [one, two] = got('/fails')
  t.equal(one?.headers['webhook-id'], two?.headers['webhook-id'])
  t.equal(one?.body, two?.body)
  await ada.delete(`/v1/webhooks/${id}`)
  await booted.settled()
  t.same(await knex('webhooks.attempt').where({ webhookId: id }), [])
})

t.test('after its last try it has failed, and after long failure it is switched off', async (t) => {
  status = 503
  const { id } = await make('/long')
  await ada.agent()
  await arrived('/long', 1)
  const [first] = await until(
    () => deliveries(id),
    (all) => all[0]?.attempts === 1
  )
  const due = { nextAt: new Date(0).toISOString() }
  await knex('webhooks.delivery')
    .where({ id: first.id })
    .update({ ...due, tries: 9 })
  await worker('webhooks.deliver')({ deliveryId: first.id })
  t.match(await deliveries(id), [{ status: 'failed', attempts: 2, nextAt: null }])
  await knex('webhooks.webhook')
    .where({ id })
    .update({ failingSince: new Date(0) })
  await ada.post(`/v1/webhooks/${id}/deliveries/${first.id}/replay`)
  const off = await until(
    async () => (await ada.get(`/v1/webhooks/${id}`)).body.data,
    ({ active }) => !active
  )
  t.match(off, { disabledAt: String, active: false })
  t.match(await knex('kernel.fact').where({ name: 'webhooks.disabled', subject: id }), [
    { owner: 'ada', data: { reason: 'failing' } }
  ])
  const before = got('/long').length
  await ada.agent()
  await booted.settled()
  t.equal((await deliveries(id)).length, 1, 'it is told of nothing more')
  t.equal(got('/long').length, before)
  status = 200
  t.match(await ada.put(`/v1/webhooks/${id}`, { active: true }), {
    body: { data: { active: true, failingSince: null, disabledAt: null } }
  })
  await ada.delete(`/v1/webhooks/${id}`)
  const gone = await make('/gone')
  await ada.post(`/v1/webhooks/${gone.id}/test`)
  t.match((await ada.get(`/v1/webhooks/${gone.id}`)).body.data, { active: false }, '410 is a farewell')
  await ada.delete(`/v1/webhooks/${gone.id}`)
})

t.test('a secret is rotated, the one before is good for a while', async (t) => {
  const { id, secret } = await make('/rotated')
  const rotate = `/v1/webhooks/${id}/secret`
  t.match(await eve.post(rotate), { status: 403 })
  t.match(await ada.post(rotate, { overlapHours: -1 }), { status: 400 })
  const next = (await ada.post(rotate)).body.data
  t.not(next.secret, secret)
  t.ok(next.previousSecretUntil)
  t.match(await ada.post(`/v1/webhooks/${id}/test`), {
    status: 200,
    body: { data: { type: 'webhooks.ping', status: 'delivered', tried: [{ status: 200 }] } }
  })
  const [told] = got('/rotated') as [(typeof receiver.asked)[number]]
  for (const good of [secret, next.secret]) t.ok(new Webhook(good).verify(told.body, told.headers as never))
  const last = (await ada.post(rotate, { overlapHours: 0 })).body.data
  await ada.post(`/v1/webhooks/${id}/test`)
  const later = got('/rotated')[1] as (typeof receiver.asked)[number]
  t.ok(new Webhook(last.secret).verify(later.body, later.headers as never))
  t.throws(() => new Webhook(next.secret).verify(later.body, later.headers as never))
  await ada.delete(`/v1/webhooks/${id}`)
})

t.test('it connects to nothing that it must not, and follows no redirect', async (t) => {
  const make = (url: string) => ada.post('/v1/webhooks', { url, types: ['*'] })
  for (const url of ['file:///etc/passwd', 'nonsense', 'http://10.0.0.1/', 'http://169.254.169.254/latest'])
    t.match(await make(url), { status: 400, body: { error: { param: '/url' } } }, url)
  const { data: moved } = (await make(`${receiver.url}/moved`)).body
  const tried = (await ada.post(`/v1/webhooks/${moved.id}/test`)).body.data
  t.match(tried, { status: 'failed', lastError: /redirect/ })
  const { data: inside } = (await make('http://localhost.localdomain.invalid/')).body
  t.match((await ada.post(`/v1/webhooks/${inside.id}/test`)).body.data, { status: 'failed' })
  for (const { id } of [moved, inside]) await ada.delete(`/v1/webhooks/${id}`)
})

t.test('two instances tell each of it once', async (t) => {
  const beside = await boot(t, { ...options, beside: booted })
  const { id } = await make('/once')
  const clients = [ada, beside.as('ada')]
  await Promise.all(Array.from({ length: 12 }, (_, index) => (clients[index % 2] as Client).agent()))
  await ended(id, 12)
  await booted.settled()
  const ids = got('/once').map(({ headers }) => headers['webhook-id'])
  t.equal(ids.length, 12)
  t.equal(new Set(ids).size, 12)
  await ada.delete(`/v1/webhooks/${id}`)
})

t.test('they are the owner’s alone, paged, and checked', async (t) => {
  const { id, url } = await make('/rows')
  await make('/rows')
  const at = `/v1/webhooks/${id}`
  t.match(await anyone.get(at), { status: 401 })
  t.match(await as('robot', { type: 'agent', owner: 'ada' }).post('/v1/webhooks', { url, types: ['*'] }), {
    status: 403
  })
  for (const refused of [
    eve.get(at),
    eve.put(at, { active: false }),
    eve.delete(at),
    eve.get(`${at}/deliveries`),
    eve.post(`${at}/test`)
  ])
    t.match(await refused, { status: 403 })
  for (const missing of ['/v1/webhooks/webhook_nope', `${at}/deliveries/delivery_nope`])
    t.match(await ada.get(missing), { status: 404 })
  const first = (await ada.get('/v1/webhooks?limit=1')).body
  t.equal(first.data.length, 1)
  t.match((await ada.get(`/v1/webhooks?limit=1&cursor=${first.nextCursor}`)).body, {
    data: [{ id }],
    nextCursor: null
  })
  t.match(await ada.put(at, { types: ['nothing.happens'] }), {
    status: 400,
    body: { error: { param: '/types/0' } }
  })
  t.match(await ada.put(at, { types: [] }), { status: 400, body: { error: { param: '/types' } } })
  t.match(await ada.put(at, { secret: 'x' }), { status: 400, body: { error: { param: '/secret' } } })
  t.match(await ada.put(at, { description: 'x' }, { 'if-match': '"7"' }), { status: 412 })
  t.match(await ada.put(at, { types: ['runs.completed'] }), {
    body: { data: { version: 2, types: ['runs.completed'] } }
  })
  const types = (await ada.get('/v1/webhooks/event-types?limit=100')).body.data
  t.match(
    types.find(({ type }: { type: string }) => type === 'runs.completed'),
    { summary: String, schema: { type: 'object', properties: { runId: {}, usage: {} } } }
  )
  const more = async () => (await ada.post('/v1/webhooks', { url, types: ['*'] })).status
  const made: number[] = []
  while (made.at(-1) !== 409 && made.length < 20) made.push(await more())
  t.equal(made.length, 11, 'an owner has twelve at most')
})

t.test('deliveries that ended go after a while', async (t) => {
  const { id } = (await ada.get('/v1/webhooks?limit=1')).body.data[0]
  const { body } = await ada.post(`/v1/webhooks/${id}/test`)
  await knex('webhooks.delivery')
    .where({ id: body.data.id })
    .update({ updatedAt: new Date(0) })
  await worker('webhooks.clean-up')({})
  t.match(await ada.get(`/v1/webhooks/${id}/deliveries/${body.data.id}`), { status: 404 })
})
