import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { createClient } from '../../../test/client.ts'
import { service } from '../../../test/loopback.ts'
import type { KeyService } from '../services/keys.ts'

let status = 200
const api = await service(t, (reply) => reply.writeHead(status).end('secret of the service'))
const booted = await boot(t, 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tools', {
  env: { OUTGOING_ALLOW: '127.0.0.1' }
})
const { as, anyone, platform, settled } = booted
const ada = as('ada')
const eve = as('eve')
const other = as('ada', { project: 'other' })
const keys = platform.server.current().packs.get('tools')?.deps.keyService as KeyService

const VALUE = 'sk-live-0123456789abcdef'
const KEYS = '/v1/tool-keys'
const UNKNOWN = 'tkey_01k4qz0000e0080000000000ab'
const input = { name: 'Weather', value: VALUE, allowedHosts: ['api.example.com'] }
const refused = (status: number, param?: string, code?: string) => ({
  status,
  body: { error: { ...(param !== undefined && { param }), ...(code && { code }) } }
})
const newKey = async (fields: object = {}, by = ada): Promise<string> => {
  const { status, text, body } = await by.post(KEYS, { ...input, ...fields })
  if (status !== 201) throw new Error(text)
  return body.data.id
}
let tools = 0
const newTool = async (config: object = {}, by = ada): Promise<{ id: string; name: string }> => {
  const name = `tool_${++tools}`
  const { status, text, body } = await by.post('/v1/tools', {
    name,
    description: 'A tool',
    config: { method: 'POST', url: 'https://api.example.com/v1', ...config }
  })
  if (status !== 201) throw new Error(text)
  return body.data
}
const header = { in: 'header', name: 'x-api-key' }
const factsOf = async (subject: string) => {
  await settled()
  return platform.knex('kernel.fact').where({ subject }).orderBy('id')
}

t.test('a key is stored, read, described anew, rotated and deleted', async (t) => {
  const { status, body } = await ada.post(KEYS, {
    ...input,
    allowedHosts: ['API.example.com', 'bücher.example:8443']
  })
  t.equal(status, 201)
  const { id, createdAt } = body.data
  t.same(body.data, {
    id,
    owner: 'ada',
    name: 'Weather',
    description: null,
    allowedHosts: ['api.example.com', 'xn--bcher-kva.example:8443'],
    prefix: 'sk-l',
    version: 1,
    createdAt,
    updatedAt: createdAt,
    rotatedAt: null
  })
  t.match(await ada.get(`${KEYS}/${id}`), { status: 200, body: { data: { ...body.data, mappings: [] } } })
  t.match((await ada.get(KEYS)).body, { data: [body.data], nextCursor: null })
  const described = await ada.put(`${KEYS}/${id}/metadata`, {
    ...body.data,
    name: 'New',
    description: 'For rain'
  })
  t.match(described, {
    status: 200,
    body: { data: { name: 'New', description: 'For rain', rotatedAt: null } }
  })
  const rotated = await ada.put(`${KEYS}/${id}/value`, { value: 'another-0123456789' })
  t.match(rotated, { status: 200, body: { data: { prefix: 'anot', rotatedAt: String } } })
  t.match(await ada.delete(`${KEYS}/${id}`), {
    status: 200,
    body: { data: { id, deleted: true, mappings: [] } }
  })
  for (const reply of [await ada.get(`${KEYS}/${id}`), await ada.delete(`${KEYS}/${id}`)])
    t.match(reply, { status: 404 })
  t.same(
    (await factsOf(id)).map(({ name }) => name),
    ['tools.key_created', 'tools.key_updated', 'tools.key_rotated', 'tools.key_deleted']
  )
})

t.test('the prefix is a quarter of the key at most', async (t) => {
  for (const [value, prefix] of [
    ['12345678', '12'],
    ['123456789012', '123'],
    ['1234567890123456', '1234']
  ] as const) {
    const id = await newKey({ value })
    t.match((await ada.get(`${KEYS}/${id}`)).body.data, { prefix })
  }
})

t.test('someone else’s is 403, unknown is 404, bad input is 400', async (t) => {
  const id = await newKey()
  const tool = await newTool()
  const test = { url: api.url, ...header }
  const asked: [string, string, object?][] = [
    ['GET', ''],
    ['PUT', '/metadata', { name: 'x' }],
    ['PUT', '/value', { value: VALUE }],
    ['POST', '/test', test],
    ['DELETE', '']
  ]
  for (const [method, path, body] of asked) {
    const ask = (by: typeof ada, key: string) =>
      by.request(method, `${KEYS}/${key}${path}`, {
        ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
      })
    t.match(await ask(eve, id), refused(403, undefined, 'not_owner'))
    t.match(await ask(other, id), { status: 403 })
    t.match(await ask(ada, UNKNOWN), { status: 404 })
    t.match(await ask(anyone, id), { status: 401 })
  }
  for (const path of [KEYS, `${KEYS}/map`]) t.match(await anyone.post(path, {}), { status: 401 })
  t.match(await anyone.delete(`${KEYS}/map/tmap_1`), { status: 401 })

  const wrong: [string, object][] = [
    ['/name', { name: '' }],
    ['/value', { value: 'short' }],
    ['/value', { value: 'with\nline-breaks' }],
    ['/value', { value: ' 12345678' }],
    ['/value', { value: 'ümläute-are-out' }],
    ['/allowedHosts', { allowedHosts: [] }],
    ['/allowedHosts/1', { allowedHosts: ['example.com', '*.example.com'] }],
    ['/prefix', { prefix: 'x' }]
  ]
  for (const host of [
    'https://example.com',
    'a/b',
    'a@b',
    'a b',
    'a:99999',
    'a:b',
    '',
    '.',
    '%31',
    '[::1',
    'a?b'
  ])
    wrong.push(['/allowedHosts/0', { allowedHosts: [host] }])
  for (const [param, fields] of wrong)
    t.match(await ada.post(KEYS, { ...input, ...fields }), refused(400, param), JSON.stringify(fields))
  t.match(await ada.put(`${KEYS}/${id}/value`, {}), refused(400, '/value'))
  t.match(await ada.put(`${KEYS}/${id}/metadata`, { nam: 'x' }), refused(400, '/nam'))

  const map = { keyId: id, toolId: tool.id, ...header }
  t.match(await ada.post(`${KEYS}/map`, { ...map, keyId: UNKNOWN }), refused(404, '/keyId'))
  t.match(await ada.post(`${KEYS}/map`, { ...map, toolId: 'nope' }), refused(404, '/toolId'))
  t.match(await eve.post(`${KEYS}/map`, map), refused(403, '/keyId'))
  t.match(await ada.post(`${KEYS}/map`, { ...map, in: 'cookie' }), refused(400, '/in'))
  for (const name of ['a b', 'host', 'Content-Length', 'x\r\n'])
    t.match(await ada.post(`${KEYS}/map`, { ...map, name }), refused(400, '/name'), name)
  t.match(await ada.delete(`${KEYS}/map/tmap_01k4qz0000e0080000000000ab`), { status: 404 })
})

t.test('hosts are compared in one spelling', async (t) => {
  for (const [given, kept] of [
    ['EXAMPLE.com.', 'example.com'],
    ['example.com:443', 'example.com'],
    ['example.com:80', 'example.com:80'],
    ['127.1:8080', '127.0.0.1:8080'],
    ['[0:0:0::1]:81', '[::1]:81']
  ] as const) {
    const id = await newKey({ allowedHosts: [given, given] })
    t.same((await ada.get(`${KEYS}/${id}`)).body.data.allowedHosts, [kept])
  }
})

t.test('fewer hosts are given by name, more of them with the value again', async (t) => {
  const id = await newKey({ allowedHosts: ['a.example', 'b.example'] })
  const path = `${KEYS}/${id}/metadata`
  t.match(await ada.put(path, { allowedHosts: ['B.example'] }), {
    status: 200,
    body: { data: { allowedHosts: ['b.example'], rotatedAt: null } }
  })
  const more = { allowedHosts: ['b.example', 'c.example'] }
  t.match(await ada.put(path, more), refused(400, '/value', 'value_required'))
  t.match(
    await ada.put(path, { allowedHosts: ['b.example:8443'] }),
    refused(400, '/value'),
    'a port is another place'
  )
  t.match(await ada.put(path, { allowedHosts: [] }), refused(400, '/allowedHosts'))
  t.match((await ada.get(`${KEYS}/${id}`)).body.data, { allowedHosts: ['b.example'] })
  t.match(await ada.put(path, { ...more, value: 'another-0123456789' }), {
    status: 200,
    body: { data: { ...more, prefix: 'anot', rotatedAt: String } }
  })
})

t.test('a test really calls, a host of the key’s and no other', async (t) => {
  const id = await newKey({ allowedHosts: [api.host] })
  const path = `${KEYS}/${id}/test`
  const tested = await ada.post(path, { url: `${api.url}/me`, ...header })
  t.match(tested, { status: 200, body: { data: { ok: true, status: 200, milliseconds: Number } } })
  t.notOk(tested.text.includes('service'), 'the body is not told')
  t.match(api.asked.at(-1), { method: 'GET', path: '/me', headers: { 'x-api-key': VALUE } })
  status = 401
  const query = { in: 'query', name: 'key', method: 'HEAD' }
  t.match((await ada.post(path, { url: api.url, ...query })).body.data, { ok: false, status: 401 })
  t.match(api.asked.at(-1), { method: 'HEAD', path: `/?key=${VALUE}` })
  status = 302
  t.match((await ada.post(path, { url: api.url, ...header })).body.data, { ok: false, status: 302 })
  const before = api.asked.length
  const elsewhere = `http://127.0.0.1:${Number(api.host.split(':')[1]) + 1}`
  for (const url of [elsewhere, 'http://127.0.0.1/', 'https://example.com/'])
    t.match(await ada.post(path, { url, ...header }), refused(403, '/url', 'host_not_allowed'))
  for (const url of ['nonsense', 'ftp://127.0.0.1/', `http://a:b@${api.host}/`, 'http://169.254.169.254/'])
    t.match(await ada.post(path, { url, ...header }), refused(400, '/url'))
  t.match(await ada.post(path, { url: api.url, in: 'body', name: 'x' }), refused(400, '/in'))
  t.match(await ada.post(path, { url: api.url, in: 'header', name: 'host' }), refused(400, '/name'))
  t.equal(api.asked.length, before)
  const closed = await newKey({ allowedHosts: ['127.0.0.1:9'] })
  const gone = await ada.post(`${KEYS}/${closed}/test`, { url: 'http://127.0.0.1:9/', ...header })
  t.match(gone, { status: 502, body: { error: { type: 'upstream_error' } } })
})

t.test('a key is mapped to a tool of its hosts, and taken from it', async (t) => {
  const keyId = await newKey()
  const tool = await newTool()
  const { status, body } = await ada.post(`${KEYS}/map`, { keyId, toolId: tool.name, ...header })
  t.equal(status, 201)
  const mapping = body.data
  const { id, createdAt } = mapping
  const what = { keyId, connectionId: null, scopes: [] }
  t.same(mapping, { id, owner: 'ada', ...what, toolId: tool.id, ...header, createdAt })
  t.match(
    await ada.post(`${KEYS}/map`, { keyId, toolId: tool.id, ...header }),
    refused(409, undefined, 'place_taken')
  )
  t.same((await ada.get(`${KEYS}/${keyId}`)).body.data.mappings, [{ ...mapping, toolName: tool.name }])
  t.match(await keys.listInjected('default', tool.id), [
    { keyId, ...header, allowedHosts: ['api.example.com'], value: VALUE }
  ])
  t.match(await eve.delete(`${KEYS}/map/${mapping.id}`), { status: 403 })
  t.match(await other.delete(`${KEYS}/map/${mapping.id}`), { status: 403 })
  t.match(await ada.delete(`${KEYS}/map/${mapping.id}`), {
    status: 200,
    body: { data: { id: mapping.id, deleted: true } }
  })
  t.match(await ada.delete(`${KEYS}/map/${mapping.id}`), { status: 404 })
  t.same(await keys.listInjected('default', tool.id), [])
  t.match(
    (await factsOf(keyId)).map(({ name }) => name),
    ['tools.key_created', 'tools.key_mapped', 'tools.key_unmapped']
  )

  const away = await newTool({ url: 'https://api.example.org/' })
  t.match(
    await ada.post(`${KEYS}/map`, { keyId, toolId: away.id, ...header }),
    refused(403, '/toolId', 'host_not_allowed')
  )
  for (const url of ['http://api.example.com/', 'https://api.example.com:8443/']) {
    const odd = await newTool({ url })
    t.match(await ada.post(`${KEYS}/map`, { keyId, toolId: odd.id, ...header }), { status: 403 }, url)
  }
  const reading = await newTool({ method: 'GET' })
  t.match(
    await ada.post(`${KEYS}/map`, { keyId, toolId: reading.id, in: 'body', name: 'x' }),
    refused(400, '/in')
  )
  const theirs = await newTool({}, eve)
  t.match(await ada.post(`${KEYS}/map`, { keyId, toolId: theirs.id, ...header }), refused(403, '/toolId'))
})

t.test('a tool with a key stays with the key’s hosts', async (t) => {
  const keyId = await newKey()
  const tool = await newTool()
  await ada.post(`${KEYS}/map`, { keyId, toolId: tool.id, in: 'body', name: 'token' })
  const put = (config: object) => ada.put(`/v1/tools/${tool.id}`, { config })
  const url = 'https://api.example.com/v2'
  t.match(await put({ method: 'POST', url }), { status: 200 })
  t.match(
    await put({ method: 'POST', url: 'https://evil.example/' }),
    refused(403, '/config/url', 'host_not_allowed')
  )
  t.match(await put({ method: 'POST', url: 'http://api.example.com/' }), { status: 403 })
  t.match(await put({ method: 'GET', url }), refused(400, '/config/method'))
  t.match((await ada.get(`/v1/tools/${tool.id}`)).body.data, { config: { method: 'POST', url }, version: 2 })
})

t.test('deleting a key says what used it, and deleting a tool lets its keys go', async (t) => {
  const keyId = await newKey()
  const [one, two] = [await newTool(), await newTool()]
  for (const { id: toolId } of [one, two]) await ada.post(`${KEYS}/map`, { keyId, toolId, ...header })
  await ada.delete(`/v1/tools/${one.id}`)
  t.same(await keys.listInjected('default', one.id), [])
  const { body } = await ada.delete(`${KEYS}/${keyId}`)
  t.match(body.data, { id: keyId, deleted: true, mappings: [{ toolId: two.id, toolName: two.name }] })
  t.equal(body.data.mappings.length, 1)
  t.match((await factsOf(keyId)).at(-1), { name: 'tools.key_deleted', data: { id: keyId, mappings: 1 } })
})

t.test('what goes while it is mapped leaves nothing behind', async (t) => {
  for (let round = 0; round < 5; round++) {
    const keyId = await newKey()
    const tool = await newTool()
    const gone = round % 2 ? `${KEYS}/${keyId}` : `/v1/tools/${tool.id}`
    const [mapped, removed] = await Promise.all([
      ada.post(`${KEYS}/map`, { keyId, toolId: tool.id, ...header }),
      ada.delete(gone)
    ])
    t.equal(removed.status, 200)
    t.ok([201, 404].includes(mapped.status), String(mapped.status))
    const left = await platform.knex('tools.key_mapping').where({ keyId })
    // One whose key went first is there, and has its calls refused.
    if (gone.startsWith('/v1/tools')) t.same(left, [])
    else t.equal(left.length, mapped.status === 201 ? 1 : 0)
  }
})

t.test('an agent keeps no keys, a service reaches those of its project', async (t) => {
  const agent = await ada.agent()
  const order = {
    project: 'default',
    environment: 'test',
    type: 'agent',
    name: 'self',
    admin: false
  } as const
  const key = platform.credentials.createKey({ ...order, principal: agent.id, owner: ada.id })
  const itself = createClient(booted.url, agent.id, key)
  const id = await newKey()
  t.match(await itself.post(KEYS, input), refused(403, undefined, 'agent_principal'))
  t.match(await itself.get(KEYS), { status: 200, body: { data: [], nextCursor: null } })
  t.match(await itself.get(`${KEYS}/${id}`), { status: 403 })
  const service = as('backend', { type: 'service' })
  t.match(await service.get(`${KEYS}/${id}`), { status: 200 })
  const forEve = { 'x-initiator': 'eve' }
  t.match(await service.get(`${KEYS}/${id}`, forEve), { status: 403 })
  const made = await service.post(KEYS, input, forEve)
  t.match(made, { status: 201, body: { data: { owner: 'eve' } } })
  t.match(await eve.get(`${KEYS}/${made.body.data.id}`), { status: 200 })
})

t.test('lists come in pages, of what is one’s own', async (t) => {
  const zoe = as('zoe')
  for (const name of ['1', '2', '3']) await newKey({ name }, zoe)
  const first = await zoe.get(`${KEYS}?limit=2`)
  t.match(first.body.data, [{ name: '3' }, { name: '2' }])
  t.match((await zoe.get(`${KEYS}?cursor=${first.body.nextCursor}`)).body, {
    data: [{ name: '1' }],
    nextCursor: null
  })
  t.match(await zoe.get(`${KEYS}?cursor=x`), refused(400, 'cursor'))
})

t.test('other packs open a key of its owner’s, for one of its hosts', async (t) => {
  const id = await newKey({ allowedHosts: ['api.example.com', 'localhost:3000'] })
  const by = { project: 'default', owner: 'ada' }
  t.equal(await keys.openKey(by, id, new URL('https://api.example.com')), VALUE)
  t.equal(await keys.openKey(by, id, new URL('https://LOCALHOST:3000')), VALUE)
  t.equal(await keys.openKey(by, id, new URL('https://api.example.com/mcp')), VALUE)
  t.equal(await keys.openKey(by, id, new URL('http://localhost:3000/mcp')), VALUE)
  for (const clear of ['http://api.example.com/mcp', 'http://api.example.com:443/mcp'])
    await t.rejects(keys.openKey(by, id, new URL(clear)), { kind: 'forbidden', code: 'host_not_allowed' })
  await t.rejects(keys.openKey(by, id, new URL('https://localhost'), '/auth/keyId'), {
    kind: 'forbidden',
    code: 'host_not_allowed',
    param: '/auth/keyId',
    message: /localhost/
  })
  await t.rejects(keys.openKey({ ...by, owner: 'eve' }, id, new URL('https://api.example.com')), {
    kind: 'forbidden',
    code: 'not_owner'
  })
  await t.rejects(keys.openKey({ ...by, project: 'other' }, id, new URL('https://api.example.com')), {
    kind: 'forbidden',
    code: 'not_owner'
  })
  await t.rejects(keys.openKey(by, UNKNOWN, new URL('https://api.example.com'), '/a'), {
    kind: 'notFound',
    param: '/a',
    code: undefined
  })
})
