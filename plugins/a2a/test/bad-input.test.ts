import t from 'tap'
import { call, local, published, saying, stage } from './testbed.ts'

const { booted, ada, eve } = await stage(t, { packs: ['files', 'extraction', 'storage'] })
const agent = await published(ada, local)
const at = `/v1/a2a/${agent.id}`

t.test('agents of others, unknown ones, and ones that are not published take no tasks', async (t) => {
  const request = { jsonrpc: '2.0', id: 1, method: 'message/send', params: saying('Hello') }
  t.match(await eve.post(at, request), { status: 403, body: { error: { code: 'not_owner' } } })
  t.match(await eve.get(`${at}/tasks`), { status: 403 })
  t.match(await ada.post('/v1/a2a/agent_nope', request), { status: 404 })
  t.match(await ada.get('/v1/a2a/agent_nope/tasks'), { status: 404 })
  t.match(await booted.anyone.post(at, request), { status: 401 })
  const hidden = await ada.agent(local)
  t.match((await call(ada, hidden, 'message/send', saying('Hello'))).error, {
    data: [{ metadata: { type: 'notFound', code: 'not_published' } }]
  })
  const reader = booted.as('ada', { scopes: ['a2a:read'] })
  t.match(await reader.post(at, request), { status: 403 })
  t.equal((await reader.get(`${at}/tasks`)).status, 200)
  const writer = booted.as('ada', { scopes: ['a2a:write'] })
  t.match((await call(writer, agent, 'message/send', saying('Hello'))).error, {
    data: [{ metadata: { code: 'scope_missing' } }]
  })
})

t.test('a task under another agent, or of another owner, is none', async (t) => {
  const { id } = (await call(ada, agent, 'message/send', saying('Hello'))).result
  const other = await published(ada, local)
  const hers = await published(eve, local)
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/resubscribe', 'GetTask'])
    t.match((await call(ada, other, method, { id })).error, { code: -32001 }, method)
  t.match((await call(eve, hers, 'tasks/get', { id })).error, { code: -32001 })
  t.match((await call(ada, other, 'message/send', saying('x', { taskId: id }))).error, { code: -32001 })
  t.match(await ada.get(`/v1/a2a/${other.id}/tasks/${id}/stream`), { status: 404 })
  t.match(await eve.get(`${at}/tasks/${id}/stream`), { status: 403 })
  t.match(await ada.get(`${at}/tasks/run_nope/stream`), { status: 404 })
  t.match(
    (
      await call(
        eve,
        hers,
        'message/send',
        saying('x', { contextId: (await call(ada, agent, 'tasks/get', { id })).result.contextId })
      )
    ).error,
    {
      data: [{ metadata: { type: 'forbidden' } }]
    }
  )
})

t.test('what is no request of JSON-RPC is answered as one', async (t) => {
  const send = async (body: string) =>
    (await ada.request('POST', at, { body, headers: { 'content-type': 'application/json' } })).body
  const request = (fields: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/get', ...fields })
  for (const body of ['', '{', 'null x', '{"a":1,}', '\ufeff{'])
    t.match(await send(body), { id: null, error: { code: body === '' ? -32600 : -32700 } }, body)
  t.match(await send('[]'), { id: null, error: { code: -32600, message: /Batches/ } })
  t.match(await send(`[${request({})}]`), { id: null, error: { code: -32600, message: /Batches/ } })
  for (const body of ['5', '"x"', 'null', request({ jsonrpc: '1.0' }), request({ method: 5 })])
    t.match(await send(body), { error: { code: -32600 } }, body)
  for (const id of [{}, [], true, 1.5, 1e300, undefined])
    t.match(await send(request({ id })), { id: null, error: { code: -32600 } }, String(id))
  for (const id of [0, -7, '', 'x'.repeat(1_000), null, 9_007_199_254_740_991])
    t.match(
      await send(request({ id, params: { id: 'run_nope' } })),
      { id, error: { code: -32001 } },
      String(id)
    )
  for (const method of ['tasks/nope', '', 'toString', '__proto__', 'message/sendStream'])
    t.match(await send(request({ method })), { id: 1, error: { code: -32601 } }, method)
  for (const params of [[], 'x', 5, {}, { id: 5 }, { id: '' }, { id: 'x'.repeat(300) }])
    t.match(
      await send(request({ params })),
      { id: 1, error: { code: -32602 } },
      JSON.stringify(params).slice(0, 50)
    )
  t.match(await send('{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"__proto__":{"id":"x"}}}'), {
    error: { code: -32700 }
  })
})

t.test('versions that are not spoken are said to be so', async (t) => {
  const get = (version: string) =>
    call(ada, agent, 'tasks/get', { id: 'run_nope' }, { 'a2a-version': version })
  for (const version of ['2.0', '0.1', 'x', '1.0.0.0'])
    t.match((await get(version)).error, { code: -32009 }, version)
  for (const version of ['1.0', '0.3', '0.3.0', '0.2', ''])
    t.match((await get(version)).error, { code: -32001 }, version)
})

t.test('messages that are none are refused', async (t) => {
  const send = (params: object) => call(ada, agent, 'message/send', params)
  for (const params of [
    {},
    { message: 'Hello' },
    { message: { parts: [] } },
    { message: { parts: 'x' } },
    { message: { parts: ['x'] } },
    { message: { role: 'agent', parts: [{ text: 'x' }] } },
    { message: { messageId: 5, parts: [{ text: 'x' }] } },
    { message: { messageId: 'a\u0007', parts: [{ text: 'x' }] } },
    { message: { parts: Array(101).fill({ text: 'x' }) } },
    { message: { parts: [{ kind: 'file', file: { bytes: '§' } }] } },
    { message: { parts: [{ kind: 'file', file: {} }] } },
    { message: { parts: [{ kind: 'file', file: { uri: 'http://10.0.0.1/x' } }] } },
    { message: { parts: [{ kind: 'file', file: { uri: 'file:///etc/passwd' } }] } },
    { message: { parts: [{ text: 'x' }] }, configuration: { historyLength: -1 } }
  ])
    t.match((await send(params)).error, { code: -32602 }, JSON.stringify(params).slice(0, 80))
  t.match((await send({ message: { parts: [{ kind: 'hologram' }] } })).error, { code: -32005 })
  t.match(
    (await send(saying('Hi', { contextId: 'session_nope' }))).result,
    { contextId: 'session_nope' },
    'a name of its own'
  )
  t.match((await send(saying('Hi', { taskId: 'run_nope' }))).error, { code: -32001 })
  await booted.settled()
  const { data } = (await ada.get(`${at}/tasks`)).body
  t.notOk(
    data.some(({ state }: { state: string }) => state === 'submitted'),
    'what was refused is no task'
  )
})

t.test('bodies of many megabytes are taken or refused whole', async (t) => {
  const large = await call(ada, agent, 'message/send', saying('x'.repeat(10_000_000)))
  t.match(large.error, { code: -32602, message: /is too long: a prompt can have about/ })
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'message/send',
    params: saying('x'.repeat(15_000_000))
  })
  const refused = await ada
    .request('POST', at, { body, headers: { 'content-type': 'application/json' } })
    .catch((error) => ({ status: error.cause?.code }))
  t.match(String(refused.status), /^(?:413|EPIPE|ECONNRESET|UND_ERR_SOCKET)$/)
})
