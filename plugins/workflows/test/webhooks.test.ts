// budget: 8 s, because two instances and one with limits are booted
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'

const booted = await boot(t, 'workflows')
const { as, anyone, platform, settled } = booted
const [ada, eve] = [as('ada'), as('eve')]
const beside = await boot(t, 'workflows', { beside: booted })

const steps = [{ id: 'echo', type: 'transform', config: { value: '{{ input }}' } }]
const make = async (client = ada, fields: object = {}): Promise<string> => {
  const definition = { steps, output: '{{ steps.echo.output }}' }
  const { status, body } = await client.post('/v1/workflows', { name: 'Hook', definition, ...fields })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.data.id
}
const mint = async (id: string, order: object = {}, client = ada) =>
  (await client.post(`/v1/workflows/${id}/webhook-token`, order)).body.data
/** A workflow with a webhook, and what it says. */
async function hooked(order: object = {}, client = ada) {
  const id = await make(client)
  const { token, secret } = await mint(id, order, client)
  return { id, token, secret, path: `/v1/workflows/webhooks/${token}` }
}
const inputOf = async (workflowId: string, executionId: string, client = ada) =>
  (await client.get(`/v1/workflows/${workflowId}/executions/${executionId}`)).body.data.input
const deliver = (
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
  by: Client = anyone
) => by.request('POST', path, { body, headers })
const json = { 'content-type': 'application/json' }

t.test('a token is shown once, kept as a hash, and begins executions in the owner’s name', async (t) => {
  const id = await make()
  const url = `/v1/workflows/${id}/webhook`
  t.same((await ada.get(url)).body.data, {
    workflowId: id,
    enabled: false,
    prefix: null,
    signed: false,
    mapping: null,
    event: null,
    createdAt: null,
    mintedAt: null
  })
  const key = { 'idempotency-key': 'mint-1' }
  const minted = await ada.post(`${url}-token`, {}, key)
  t.match(minted, { status: 201, body: { data: { enabled: true, signed: false, secret: null } } })
  const { token, prefix } = minted.body.data
  t.ok(token.startsWith(prefix) && token.length > prefix.length + 40)
  const again = await ada.post(`${url}-token`, {}, key)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.notOk(again.text.includes(token), 'a repetition comes without it')
  t.match((await ada.get(url)).body.data, { enabled: true, prefix })
  const rows = await platform.knex('workflows.webhook')
  const kept = [
    ...rows,
    ...(await platform.knex('kernel.fact')),
    ...(await platform.knex('kernel.idempotency'))
  ]
  t.notOk(JSON.stringify(kept).includes(token))

  const reply = await deliver(`/v1/workflows/webhooks/${token}`, '{"a":[1]}', json)
  t.equal(reply.status, 202)
  t.same(Object.keys(reply.body.data), ['executionId'])
  t.same(await inputOf(id, reply.body.data.executionId), { a: [1] })
  t.match(await ada.get(`/v1/workflows/${id}/executions/${reply.body.data.executionId}`), {
    body: { data: { owner: 'ada', workflowId: id } }
  })
})

t.test('JSON, forms and text, and nothing else', async (t) => {
  const { id, path } = await hooked()
  for (const [body, type, input] of [
    ['{"a":1}', 'application/json; charset=utf-8', { a: 1 }],
    ['{"a":1}', 'application/cloudevents+json', { a: 1 }],
    ['a=1&b=x+y&b=%C3%A9', 'application/x-www-form-urlencoded', { a: '1', b: ['x y', 'é'] }],
    ['Grüße', 'text/plain', 'Grüße'],
    ['', 'text/plain', {}]
  ] as const) {
    const { status, body: reply } = await deliver(path, body, { 'content-type': type })
    t.equal(status, 202, type)
    t.same(await inputOf(id, reply.data.executionId), input)
  }
  t.match(await deliver(path, 'x', { 'content-type': 'application/xml' }), { status: 415 })
  t.match(await deliver(path, '{}', { ...json, 'content-encoding': 'gzip' }), { status: 415 })
  for (const [body, type] of [
    ['{', 'application/json'],
    ['{"a":"\\u0000"}', 'application/json'],
    ['{"__proto__":{}}', 'application/json'],
    ['a=%00', 'application/x-www-form-urlencoded'],
    ['__proto__=1', 'application/x-www-form-urlencoded'],
    [Buffer.from([0xff]), 'text/plain']
  ] as const)
    t.match(await deliver(path, body, { 'content-type': type }), { status: 400 }, `${type}: ${body}`)
  t.match(await deliver(path, JSON.stringify('x'.repeat(1_048_577)), json), { status: 413 })
  t.match(await deliver(path, JSON.stringify('x'.repeat(100_000)), json), { status: 202 })
})

t.test('a mapping makes the input of what comes', async (t) => {
  const mapping = {
    what: '{{ body.issue.title }}',
    event: '{{ headers."x-event" }}',
    how: '{{ method }} {{ query.from }}',
    all: '{{ $keys(headers) }}'
  }
  const { id, path } = await hooked({ mapping })
  t.same((await ada.get(`/v1/workflows/${id}/webhook`)).body.data.mapping, mapping)
  const headers = {
    ...json,
    'x-event': 'opened',
    authorization: 'Bearer no',
    cookie: 'a=b',
    'x-api-key': 'no'
  }
  const { body } = await deliver(`${path}?from=afar`, '{"issue":{"title":"Broken"}}', headers)
  const { all, ...input } = await inputOf(id, body.data.executionId)
  t.same(input, { what: 'Broken', event: 'opened', how: 'POST afar' })
  for (const name of ['authorization', 'cookie', 'x-api-key']) t.notOk(all.includes(name), name)
  await mint(id)
  t.same((await ada.get(`/v1/workflows/${id}/webhook`)).body.data.mapping, mapping, 'a rotation leaves it')
  const { token } = await mint(id, { mapping: '{{ $sum(body) }}' })
  t.match(await deliver(`/v1/workflows/webhooks/${token}`, '["x"]', json), {
    status: 400,
    body: { error: { code: 'expression_failed' } }
  })
  for (const [wrong, param] of [
    ['{{ 1 + }}', '/mapping'],
    [{ a: '{{ input.x }}' }, '/mapping/a']
  ])
    t.match(await ada.post(`/v1/workflows/${id}/webhook-token`, { mapping: wrong }), {
      status: 400,
      body: { error: { param } }
    })
})

t.test('deliveries are signed by the rules of Standard Webhooks, where that was asked for', async (t) => {
  const { id, path, secret } = await hooked({ secret: true })
  const signer = new Webhook(secret)
  const body = '{"ü":1}'
  const signed = (messageId: string, at = new Date(), text = body) => ({
    ...json,
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signer.sign(messageId, at, text)
  })
  t.match(await deliver(path, body, signed('m1')), { status: 202 })
  const { 'webhook-signature': good, ...rest } = signed('m2')
  t.match(await deliver(path, body, { ...rest, 'webhook-signature': `v1a,x v1,bm8= ${good}` }), {
    status: 202
  })
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000)
  const wrong = new Webhook(`whsec_${Buffer.alloc(32, 1).toString('base64')}`)
  const plain = createHmac('sha256', secret).update(body).digest('base64')
  for (const [what, headers, sent] of [
    ['nothing', json, body],
    ['another body', signed('m3'), '{"ü":2}'],
    ['another id', { ...signed('m3'), 'webhook-id': 'm4' }, body],
    ['too old', signed('m3', ago(400)), body],
    ['too far ahead', signed('m3', ago(-400)), body],
    ['no time', { ...signed('m3'), 'webhook-timestamp': 'now' }, body],
    ['another key', { ...signed('m3'), 'webhook-signature': wrong.sign('m3', new Date(), body) }, body],
    ['another form', { ...signed('m3'), 'webhook-signature': `v1,${plain}` }, body]
  ] as const)
    t.match(
      await deliver(path, sent, headers),
      { status: 401, body: { error: { code: 'invalid_signature' } } },
      what
    )
  t.match((await ada.get(`/v1/workflows/${id}/webhook`)).body.data, { signed: true })
  t.notOk(JSON.stringify(await platform.knex('workflows.webhook')).includes(secret.slice(6)), 'it is sealed')

  const kept = await mint(id)
  t.equal(kept.secret, null)
  t.match(
    await deliver(`/v1/workflows/webhooks/${kept.token}`, body, json),
    { status: 401 },
    'a rotation leaves it'
  )
  const renewed = await mint(id, { secret: true })
  t.not(renewed.secret, secret)
  t.match(await deliver(`/v1/workflows/webhooks/${renewed.token}`, body, signed('m5')), { status: 401 })
  const { token } = await mint(id, { secret: false })
  t.match(await deliver(`/v1/workflows/webhooks/${token}`, body, json), { status: 202 })
})

t.test('a delivery of one id begins one execution, however often it comes', async (t) => {
  const { id, path } = await hooked()
  const ids = ['webhook-id', 'idempotency-key', 'x-github-delivery']
  for (const name of ids) {
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => deliver(path, '{}', { ...json, [name]: `one ${name}` }))
    )
    t.same([...new Set(replies.map(({ status }) => status))], [202])
    t.equal(new Set(replies.map(({ body }) => body.data.executionId)).size, 1, name)
  }
  const other = await hooked()
  await deliver(other.path, '{}', { ...json, 'webhook-id': 'one webhook-id' })
  await deliver(path, '{}', json)
  await deliver(path, '{}', json)
  const listed = async (id: string) => (await ada.get(`/v1/workflows/${id}/executions`)).body.data.length
  t.equal(await listed(id), ids.length + 2)
  t.equal(await listed(other.id), 1, 'ids are a webhook’s own')
})

t.test('tokens that are good for nothing are one and the same 404, at once and everywhere', async (t) => {
  const { id, token, path } = await hooked()
  t.match(await deliver(path, '{}', json, beside.anyone), { status: 202 })
  const renewed = `/v1/workflows/webhooks/${(await mint(id)).token}`
  const gone = await hooked()
  await ada.delete(`/v1/workflows/${gone.id}`)
  const left = as('left')
  const orphaned = await hooked({}, left)
  await platform.knex('kernel.principal').where({ id: 'left' }).update({ disabledAt: platform.knex.fn.now() })
  const texts = new Set<string>()
  const refused = async (at: string, what: string) => {
    for (const client of [anyone, beside.anyone]) {
      const { status, body } = await deliver(at, '{}', json, client)
      t.equal(status, 404, what)
      texts.add(JSON.stringify({ ...body.error, requestId: '' }))
    }
  }
  await refused(path, 'rotated')
  t.match(await deliver(renewed, '{}', json, beside.anyone), { status: 202 })
  t.match(await ada.delete(`/v1/workflows/${id}/webhook-token`), {
    status: 200,
    body: { data: { id, deleted: true } }
  })
  await refused(renewed, 'disabled')
  await refused(gone.path, 'the workflow is gone')
  await refused(orphaned.path, 'the owner is disabled')
  await refused('/v1/workflows/webhooks/nope', 'never one')
  await refused(`/v1/workflows/webhooks/${token.slice(0, -1)}${token.endsWith('0') ? 1 : 0}`, 'another one')
  t.equal(texts.size, 1, [...texts].join(' '))
  t.match(await ada.delete(`/v1/workflows/${id}/webhook-token`), { status: 404 })
  await settled()
  t.same(await platform.knex('workflows.webhook').where({ workflowId: gone.id }), [])
})

t.test('the webhook is its owner’s', async (t) => {
  const id = await make(ada, { visibility: 'public' })
  await mint(id)
  for (const [method, path] of [
    ['GET', 'webhook'],
    ['POST', 'webhook-token'],
    ['DELETE', 'webhook-token']
  ] as const) {
    t.match(await eve.request(method, `/v1/workflows/${id}/${path}`), { status: 403 }, `${method} ${path}`)
    t.match(await ada.request(method, `/v1/workflows/workflow_nope/${path}`), { status: 404 })
    t.match(await anyone.request(method, `/v1/workflows/${id}/${path}`), { status: 401 })
  }
  t.match(await ada.post(`/v1/workflows/${id}/webhook-token`, { secret: 'yes' }), {
    status: 400,
    body: { error: { param: '/secret' } }
  })
})

t.test('who delivers acts for nobody else', async (t) => {
  const service = as('desk', { type: 'service' })
  const { id, path } = await hooked({}, service)
  const { status, body } = await deliver(path, '{}', { ...json, 'x-initiator': 'zoe' })
  t.equal(status, 202)
  const execution = await service.get(`/v1/workflows/${id}/executions/${body.data.executionId}`)
  t.match(execution.body.data, { owner: 'desk' })
})

t.test('each webhook has a limit of its own, and each address one for tokens that are none', async (t) => {
  const limited = await boot(t, 'workflows', {
    env: { PLATFORM_LIMIT_PER_MINUTE: '3', ANONYMOUS_LIMIT_PER_MINUTE: '3' }
  })
  const owner = limited.as('ada')
  const order = { name: 'Hook', definition: { steps } }
  const paths = []
  for (let n = 0; n < 2; n++) {
    const { id } = (await owner.post('/v1/workflows', order)).body.data
    paths.push(`/v1/workflows/webhooks/${(await mint(id, {}, owner)).token}`)
  }
  const statuses = async (path: string) => {
    const seen = []
    for (let n = 0; n < 5; n++) seen.push((await deliver(path, '{}', json, limited.anyone)).status)
    return seen
  }
  t.same(await statuses(paths[0] as string), [202, 202, 202, 429, 429])
  t.same((await statuses('/v1/workflows/webhooks/nope')).slice(-2), [429, 429])
  t.equal((await statuses(paths[1] as string))[0], 202, 'another one of the same address goes on')
})
