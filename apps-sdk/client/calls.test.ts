import { inspect } from 'node:util'
import { ApiError, createClient } from 'agent-platform-client'
import t from 'tap'
import { all, cuttingProxy, little, random, stage } from './testbed.ts'

const { booted, key, client, ada, agent, saying } = await stage(t)
const named = (name: string) => ({ body: { name } })
const thrown = (work: Promise<unknown>): Promise<ApiError> =>
  work.then(
    () => Promise.reject(new Error('Nothing was thrown')),
    (error) => error
  )

t.test('calls answer with the body that is documented', async (t) => {
  const { data } = await ada.post('/v1/agents', { body: { name: 'Grace', instructions: 'Be brief' } })
  t.match(data, { name: 'Grace', instructions: 'Be brief', version: 1 })
  const path = { agentId: data.id }
  t.same((await ada.get('/v1/agents/{agentId}', { params: { path } })).data, data)
  const header = { 'If-Match': '"1"' }
  const changed = await ada.put('/v1/agents/{agentId}', {
    params: { path, header },
    body: { name: 'Hopper' }
  })
  t.match(changed.data, { name: 'Hopper', version: 2 })
  const { data: session } = await ada.post('/v1/sessions', { body: { agentId: data.id } })
  const patched = await ada.patch('/v1/sessions/{id}', {
    params: { path: { id: session.id } },
    body: { title: 'A talk' }
  })
  t.equal(patched.data.title, 'A talk')
  t.same((await ada.delete('/v1/agents/{agentId}', { params: { path } })).data, {
    id: data.id,
    deleted: true
  })
  const run = await ada.runs.run(saying('/say Hello'))
  t.match(run, { status: 'completed', content: 'Hello', agentId: agent.id })
})

t.test('a list is gone through page by page', async (t) => {
  const lister = client({ apiKey: await booted.as('lister').key() })
  const names = Array.from({ length: 7 }, (_, number) => `Agent ${number}`)
  for (const name of names) await lister.post('/v1/agents', named(name))
  const listed = lister.list('/v1/agents', { params: { query: { limit: 3 } } })
  t.same(
    (await all(listed)).map(({ name }) => name),
    names.toReversed()
  )
  t.same(
    await all(lister.list('/v1/agents', { params: { query: { owner: 'lister' } } })),
    await all(lister.list('/v1/agents'))
  )
})

t.test('refusals are errors that say why', async (t) => {
  const path = { agentId: 'agent_none' }
  const missing = await thrown(ada.get('/v1/agents/{agentId}', { params: { path } }))
  t.ok(missing instanceof ApiError)
  t.match(missing, { name: 'ApiError', status: 404, type: 'not_found', message: 'Agent not found' })
  t.match(missing.requestId, /^req_/)
  t.match(await thrown(ada.post('/v1/agents', { body: { name: '' } })), {
    status: 400,
    type: 'invalid_request_error',
    param: '/name'
  })
  t.match(await thrown(client({ initiator: 'eve' }).get('/v1/auth/me')), {
    status: 403,
    type: 'permission_error'
  })
  t.match(await thrown(createClient({ baseUrl: booted.url }).get('/v1/agents')), {
    status: 401,
    type: 'authentication_error'
  })
  const reused = { ...named('Twice'), idempotencyKey: 'calls' }
  await ada.post('/v1/agents', reused)
  t.match(await thrown(ada.post('/v1/agents', { ...reused, body: { name: 'Other' } })), {
    status: 409,
    code: 'idempotency_key_reused'
  })
  const failed = await thrown(ada.runs.run(saying('/fail 400 No')))
  t.match(failed, { status: 400, code: 'model_request_rejected', runId: /^run_/ })
})

t.test('a service acts for its initiator', async (t) => {
  const apiKey = await booted.as('bot', { type: 'service' }).key()
  const { data } = await client({ apiKey, initiator: 'fay' }).post('/v1/agents', named('Of Fay'))
  t.equal(data.owner, 'fay')
})

t.test('the token of an identity stands in where there is no key', async (t) => {
  const me = async (client: ReturnType<typeof createClient>) =>
    (await client.get('/v1/auth/me')).data.principalId
  const identityToken = await booted.as('ida').key()
  t.equal(await me(createClient({ baseUrl: booted.url, identityToken })), 'ida')
  t.equal(await me(client({ identityToken })), 'ada')
})

t.test('a change whose reply is cut off is made once', async (t) => {
  const next = random(Date.now())
  let count = 0
  const mover = await booted.as('mover').key()
  const way = await cuttingProxy(t, booted.url, () =>
    ++count % 3 === 0 ? undefined : Math.ceil(next() * 300)
  )
  const shaky = client({ baseUrl: way.url, apiKey: mover, retries: 20 })
  const names = Array.from({ length: 20 }, (_, number) => `Agent ${number}`)
  const made = await Promise.all(names.map((name) => shaky.post('/v1/agents', named(name))))
  t.ok(way.stats.cuts >= 10, `cuts: ${way.stats.cuts}`)
  const listed = await all(client({ apiKey: mover }).list('/v1/agents'))
  t.same(listed.map(({ name }) => name).sort(), names.sort())
  t.same(new Set(listed.map(({ id }) => id)), new Set(made.map(({ data }) => data.id)))
})

t.test('no error holds the key', async (t) => {
  const body = (path: string) => {
    if (path.endsWith('/auth/me')) return '<html>oops'
    if (path.includes('limit=1')) return '{"error":{"type":"api_error","message":"Oops"}}'
    return '{"data":'
  }
  const { url } = await little(t, ({ path, headers }, _number, _, response) => {
    if (path.endsWith('/metrics')) return response.destroy()
    const failing = !path.endsWith('/models')
    response.writeHead(failing ? 500 : 200, {
      'content-type': 'application/json',
      echo: headers.authorization
    })
    response.end(body(path))
  })
  const calling = client({ baseUrl: url, retries: 0 })
  const errors = await Promise.all([
    thrown(calling.get('/v1/auth/me')),
    thrown(calling.get('/v1/agents', { params: { query: { limit: 1 } } })),
    thrown(calling.get('/v1/models')),
    thrown(calling.get('/metrics')),
    thrown(all(calling.runs.follow('run_1'))),
    thrown(client({ baseUrl: 'http://127.0.0.1:1', retries: 0 }).get('/v1/agents'))
  ])
  t.same(
    errors.map(({ name }) => name),
    ['ApiError', 'ApiError', 'ConnectionError', 'ConnectionError', 'ApiError', 'ConnectionError']
  )
  for (const apiKey of [`${key}\n`, `${key} `, `${key}é`])
    t.throws(() => {
      try {
        client({ apiKey })
      } catch (error) {
        errors.push(error as ApiError)
        throw error
      }
    }, TypeError)
  t.equal(errors.length, 9)
  for (const error of errors) t.notMatch(inspect(error, { depth: 9, showHidden: true }), key)
})

t.test('no other server is told what this one was', async (t) => {
  const other = await little(t, (_asked, _number, _, response) => response.end('{}'))
  const { url } = await little(t, (_asked, _number, _, response) =>
    response.writeHead(307, { location: other.url }).end()
  )
  const calling = createClient({ baseUrl: url, apiKey: key, initiator: 'alice' })
  t.match(await thrown(calling.post('/v1/agents', { body: { name: 'Ada' } })), {
    name: 'ApiError',
    status: 307,
    type: 'unexpected_reply'
  })
  t.same(other.asked, [])
  t.throws(() => createClient({ baseUrl: 'http://bob:secret@127.0.0.1:3000' }), {
    name: 'TypeError',
    message: 'baseUrl must be without user and password'
  })
})
