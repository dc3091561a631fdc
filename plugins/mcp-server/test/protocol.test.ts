import t from 'tap'
import { local, send, stage } from './testbed.ts'

const { booted, ada, eve } = await stage(t, { packs: ['packs'] })
const MCP = '/v1/mcp'
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
}
const list = { jsonrpc: '2.0', id: 'a', method: 'tools/list', params: {} }

t.test('there is no call without a credential', async (t) => {
  for (const reply of [
    await send(booted.anyone, initialize),
    await booted.anyone.get(MCP),
    await booted.anyone.delete(MCP),
    await send(booted.anyone, initialize, { authorization: 'Bearer nonsense' })
  ]) {
    t.equal(reply.status, 401)
    t.match(reply.headers.get('www-authenticate'), /^Bearer/)
  }
})

t.test('a key that was narrowed needs the scopes, one for agents too', async (t) => {
  const reader = booted.as('ada', { scopes: ['mcp:read', 'agents:run'] })
  t.match(await send(reader, list), { status: 403, body: { error: { code: 'scope_missing' } } })
  t.match(await reader.get(MCP), { status: 405 })
  const agent = await ada.agent(local)
  const caller = booted.as('ada', { scopes: ['mcp:write'] })
  t.same((await send(caller, list)).message.result.tools, [])
  const params = { name: `agent_${agent.id.slice(6)}`, arguments: { message: 'Hello' } }
  t.match((await send(caller, { ...list, method: 'tools/call', params })).message.result, {
    isError: true,
    structuredContent: { error: { status: 403, code: 'scope_missing' } }
  })

  const { body } = await ada.post('/v1/agents/run', {
    agentId: agent.id,
    messages: [{ role: 'user', content: 'What no other caller reads' }]
  })
  const fetched = { ...params, arguments: { runId: body.data.id } }
  const fetch = { ...list, method: 'tools/call', params: fetched }
  t.match(await caller.get(`/v1/agents/runs/${body.data.id}`), { status: 403 })
  t.match((await send(caller, fetch)).message.result, {
    isError: true,
    structuredContent: { error: { status: 403, code: 'scope_missing' } }
  })
  for (const scope of ['agents:read', 'agents:run'])
    t.match((await send(booted.as('ada', { scopes: ['mcp:write', scope] }), fetch)).message.result, {
      structuredContent: { runId: body.data.id, content: /What no other caller reads/ }
    })
})

t.test('there is no stream to open, and no session to end', async (t) => {
  const accept = { accept: 'text/event-stream' }
  for (const reply of [await ada.get(MCP, accept), await ada.delete(MCP, { 'mcp-session-id': 'x' })]) {
    t.match(reply, { status: 405, body: { jsonrpc: '2.0', error: { code: -32000 } } })
    t.equal(reply.headers.get('allow'), 'POST')
  }
})

t.test('any instance answers any request: a session is a name', async (t) => {
  const begun = await send(ada, initialize)
  t.match(begun, {
    status: 200,
    message: { result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } } }
  })
  const session = begun.headers.get('mcp-session-id') ?? ''
  t.match(session, /^[\x21-\x7e]{16,}$/)
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
  t.match(await send(ada, initialized, { 'mcp-session-id': session }), { status: 202, text: '' })
  t.match(await send(ada, list, { 'mcp-session-id': session }), {
    status: 200,
    message: { id: 'a', result: {} }
  })
  t.match(await send(ada, list, { 'mcp-session-id': 'never begun' }), { status: 200 })
})

t.test('pages of other origins are refused', async (t) => {
  for (const origin of [
    'https://evil.example',
    'null',
    'http://localhost.evil.example',
    'http://127.0.0.1.nip.io'
  ])
    t.match(
      await send(ada, list, { origin }),
      { status: 403, body: { error: { code: 'origin_refused' } } },
      origin
    )
  for (const origin of ['http://localhost:6274', 'http://127.0.0.1:1', 'http://[::1]:80'])
    t.match(await send(ada, list, { origin }), { status: 200 }, origin)
})

t.test('what is no message of the protocol is refused', async (t) => {
  const raw = (body: string, headers: Record<string, string> = {}) =>
    ada.request('POST', MCP, { body, headers: { ...ACCEPT, 'content-type': 'application/json', ...headers } })
  const ACCEPT = { accept: 'application/json, text/event-stream' }
  t.match(await raw('{'), { status: 400, body: { error: { type: 'invalid_request_error' } } })
  t.match(await raw(''), { status: 400 })
  t.match(await raw('[]'), { status: 400 })
  t.match(await raw(JSON.stringify([list, list])), { status: 400, body: { error: { message: /Batches/ } } })
  t.match(await raw('{"jsonrpc":"1.0","id":1,"method":"tools/list"}'), { status: 400 })
  t.match(await raw('{"a":{"__proto__":{}}}'), { status: 400 })
  t.match(await raw('5'), { status: 400 })
  t.match(await raw('null'), { status: 400 })
  t.match(await raw(JSON.stringify(list), { 'content-type': 'text/plain' }), { status: 415 })
  t.match(await raw(JSON.stringify(list), { accept: 'application/json' }), { status: 406 })
  t.match(await raw(JSON.stringify(list), { 'mcp-protocol-version': '1999-01-01' }), { status: 400 })
  t.match(await raw(`"${'x'.repeat(1_100_000)}"`), { status: 413 })
  t.match(await ada.post(`${MCP}?agentID=x`, list, ACCEPT), {
    status: 400,
    body: { error: { param: 'agentID' } }
  })
})

t.test('what the protocol does not know is said in its own words', async (t) => {
  for (const [method, params, code] of [
    ['resources/list', {}, -32601],
    ['prompts/get', { name: 'x' }, -32601],
    ['nope', {}, -32601],
    ['tools/call', {}, -32602],
    ['tools/call', { name: 'nope' }, -32602],
    ['tools/list', { cursor: 'made up' }, -32602]
  ] as const)
    t.match(
      (await send(ada, { jsonrpc: '2.0', id: 1, method, params })).message,
      { id: 1, error: { code } },
      method
    )
})

t.test('the tools of an agent are served to callers who may run it', async (t) => {
  const agent = await ada.agent(local)
  const of = (id: string) => ({ query: `?agentId=${id}` })
  t.match(await send(ada, list, {}, of(agent.id)), { status: 200 })
  const refused = await send(eve, list, {}, of(agent.id))
  t.match(refused, { status: 403, body: { error: { param: 'agentId', code: 'not_owner' } } })
  t.match(await send(ada, list, {}, of('agent_nope')), { status: 404, body: { error: { param: 'agentId' } } })
})

t.test('the 2026-07-28 revision is spoken without a handshake', async (t) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {}
  }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
  const { status, message } = await send(ada, { ...list, params: { _meta } }, headers)
  t.equal(status, 200)
  t.match(message, { id: 'a', result: { tools: Array } })
  const wrong = await send(ada, { ...list, params: { _meta } }, { ...headers, 'mcp-method': 'tools/call' })
  t.equal(wrong.status, 400)
})

t.test('while the pack is off there is nothing', async (t) => {
  const { admin } = booted
  t.match(await admin.put('/v1/packs/mcp-server', { enabled: false }), { status: 200 })
  t.match(await send(ada, list), { status: 404 })
  t.match(await admin.put('/v1/packs/mcp-server', { enabled: true }), { status: 200 })
  t.match(await send(ada, list), { status: 200 })
})
