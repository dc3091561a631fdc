import t from 'tap'
import { json, service } from '../../../test/loopback.ts'
import { assign, puppetStage } from './testbed.ts'

const { booted, ada, play } = await puppetStage(t)
const eve = booted.as('eve')
const agent = await ada.agent()
const api = await service(t, (reply, { headers }) => json(reply, 200, { key: headers['x-key'] ?? null }))
let count = 0
const newTool = async () => {
  const config = { method: 'GET', url: api.url }
  const { body } = await ada.post('/v1/tools', { name: `tool_number_${++count}`, description: 'x', config })
  return body.data
}
const newKey = async () =>
  (await ada.post('/v1/tool-keys', { name: 'Key', value: 'sk-0123456789', allowedHosts: [api.host] })).body
    .data
const map = (keyId: string, toolId: string) =>
  ada.post('/v1/tool-keys/map', { keyId, toolId, in: 'header', name: 'x-key' })
const failed = (status: number, code?: string, param?: string, message = /./ as RegExp | string) => ({
  status,
  body: { error: { code, param, message } }
})

t.test('what was got can be sent back, and changes nothing', async (t) => {
  const tool = await newTool()
  const key = await newKey()
  await map(key.id, tool.id)
  const assignment = await assign(ada, agent, tool.id)
  const listed = (await ada.get('/v1/tool-permissions/accessible-tools')).body.data
  const accessible = listed.find(({ id }: { id: string }) => id === tool.id)
  t.match(accessible, { available: true, unavailable: null, grant: { permissionId: null } })
  const inUse = (await ada.get(`/v1/tool-keys/${key.id}`)).body.data
  for (const [send, path, body] of [
    [ada.put, `/v1/tools/${tool.name}`, (await ada.get(`/v1/tools/${tool.id}`)).body.data],
    [ada.put, `/v1/tools/${tool.name}`, accessible],
    [ada.put, `/v1/tool-keys/${key.id}/metadata`, inUse],
    [ada.patch, `/v1/agents/tools/${assignment.id}`, assignment]
  ] as const) {
    const reply = await send(path, body)
    t.match(reply, { status: 200, body: { data: { version: 1, updatedAt: body.updatedAt } } }, path)
    t.equal(reply.headers.get('etag'), '"1"')
  }
})

t.test('edits are of the version that they name, deletions too', async (t) => {
  const tool = await newTool()
  const key = await newKey()
  const assignment = await assign(ada, agent, tool.id)
  const grant = { toolId: tool.id, subjectType: 'user', subjectId: 'eve', level: 'use' }
  const permission = (await ada.post('/v1/tool-permissions/grant', grant)).body.data
  t.match(permission, { owner: 'ada', version: 1, createdAt: permission.updatedAt })
  t.match(await ada.post('/v1/tool-permissions/grant', { ...grant, level: 'manage' }), {
    status: 200,
    body: { data: { version: 2 } }
  })
  t.match(await ada.put(`/v1/tool-keys/${key.id}/metadata`, { name: 'Other' }, { 'if-match': '"1"' }), {
    status: 200,
    body: { data: { version: 2 } }
  })
  const old = { 'if-match': '"1"' }
  t.match(await ada.put(`/v1/tool-keys/${key.id}/metadata`, { name: 'Third' }, old), { status: 412 })
  t.match(await ada.put(`/v1/tool-keys/${key.id}/value`, { value: 'sk-abcdefgh' }, old), { status: 412 })
  t.match(await ada.patch(`/v1/agents/tools/${assignment.id}`, { policy: 'ask' }, old), { status: 200 })
  for (const path of [
    `/v1/tool-keys/${key.id}`,
    `/v1/tool-permissions/${permission.id}`,
    `/v1/agents/tools/${assignment.id}`
  ]) {
    t.match(await ada.delete(path, { ...old, 'if-match': 'garbage' }), { status: 400 }, path)
    t.match(await ada.delete(path, old), { status: 412 }, path)
    t.match(await ada.delete(path, { 'if-match': '"2"' }), { status: 200 }, path)
  }
})

t.test('a key that is gone has calls refused, until another one takes its place', async (t) => {
  const [tool, key, other] = [await newTool(), await newKey(), await newKey()]
  await map(key.id, tool.id)
  await assign(ada, agent, tool.id)
  const call = () => ada.post('/v1/agents/tools', { agentId: agent.id, toolName: tool.name })
  t.match(await call(), { status: 200 })
  t.match(await ada.delete(`/v1/tool-keys/${key.id}`), { status: 200 })
  const before = api.asked.length
  t.match(await call(), failed(409, 'key_missing'))
  t.equal(api.asked.length, before, 'it does not go out without a credential')
  t.match(await map(other.id, tool.id), { status: 201 })
  t.match(await call(), { status: 200, body: { data: { output: { key: '[redacted]' } } } })
})

t.test('a mapped key is tested at its tool', async (t) => {
  const [tool, key] = [await newTool(), await newKey()]
  t.match(await ada.post(`/v1/tool-keys/${key.id}/test`, {}), failed(400, undefined, '/url'))
  await map(key.id, tool.id)
  t.match(await ada.post(`/v1/tool-keys/${key.id}/test`, {}), { status: 200, body: { data: { ok: true } } })
  t.equal(api.asked.at(-1)?.headers['x-key'], 'sk-0123456789')
})

t.test('what is wrong is said where it is', async (t) => {
  const tool = await newTool()
  t.match(await ada.post('/v1/tools', { ...tool, id: undefined }), { status: 400 })
  const config = { method: 'GET', url: api.url }
  t.match(
    await ada.post('/v1/tools', { name: tool.name, description: 'x', config }),
    failed(409, 'name_taken', '/name')
  )
  t.match(
    await ada.post('/v1/tools', { name: 'blank', description: '  ', config }),
    failed(400, undefined, '/description')
  )
  t.match(await ada.get('/v1/tools?kind=nothing'), failed(400, undefined, 'kind', 'kind must be one of http'))
  t.match(
    await ada.post('/v1/tools', { name: 'odd', kind: 'nothing', description: 'x', config }),
    failed(400, undefined, '/kind', '/kind must be one of http')
  )
  t.match(await ada.get('/v1/tools?owner='), failed(400, undefined, 'owner'))
  t.match((await ada.get('/v1/tools?owner=ada&limit=1')).body.data, [{ owner: 'ada' }])
  t.match(await ada.get('/v1/tools?owner=eve'), failed(403, 'not_owner', 'owner'))
  const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
  const strict = {
    name: 'strict',
    description: 'x',
    parameters,
    config: { ...config, query: { id: '{{id}}' } }
  }
  await assign(ada, agent, (await ada.post('/v1/tools', strict)).body.data.id)
  const call = { agentId: agent.id, toolName: 'strict', args: {} }
  t.match(await ada.post('/v1/agents/tools', call), failed(400, undefined, '/args/id'))
  const key = await newKey()
  const mapping = { keyId: key.id, toolId: 'act', in: 'header', name: 'x' }
  t.match(await ada.post('/v1/tool-keys/map', mapping), failed(403, 'static_tool', '/toolId'))
  t.match(await eve.get(`/v1/tool-permissions/tool/${tool.id}x`), { status: 404 })
})

t.test(
  'a runtime reads the tools by pages, and of one that is gone nothing is to be tried again',
  async (t) => {
    const path = `/v1/runtime/agents/${agent.id}/tools`
    const all = (await ada.get(path)).body.data
    t.ok(all.length > 1)
    const first = (await ada.get(`${path}?limit=1`)).body
    t.same(first.data, all.slice(0, 1))
    t.same((await ada.get(`${path}?limit=100&cursor=${first.nextCursor}`)).body.data, all.slice(1))
    play.act = async () => ({ output: 'done' })
    const tool = await newTool()
    await assign(ada, agent, tool.id)
    await booted.platform.knex('tools.tool').where({ id: tool.id }).update({ unavailable: 'It is gone' })
    const call = { agentId: agent.id, toolName: tool.name }
    t.match(await ada.post('/v1/agents/tools', call), failed(409, 'tool_unavailable'))
  }
)
