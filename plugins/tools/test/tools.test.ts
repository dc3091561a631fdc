import t from 'tap'
import { createClient } from '../../../test/client.ts'
import type { Tools } from '../contract.ts'
import { puppetStage } from './testbed.ts'

const { booted } = await puppetStage(t)
const { as, anyone, platform, settled } = booted
const ada = as('ada')
const eve = as('eve')
const other = as('ada', { project: 'other' })

const weather = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, units: { enum: ['metric', 'imperial'] } },
    required: ['city'],
    additionalProperties: false
  },
  config: { method: 'GET', url: 'https://api.example.com/v1/{{city}}', query: { units: '{{units}}' } }
}
const named = (name: string, fields: object = {}) => ({ ...weather, name, ...fields })
const refused = (status: number, param?: string, code?: string) => ({
  status,
  body: { error: { ...(param !== undefined && { param }), ...(code && { code }) } }
})
const factsOf = async (subject: string) => {
  await settled()
  return platform.knex('kernel.fact').where({ subject }).orderBy('id')
}

t.test('a tool is registered, read by name and by id, changed and deleted', async (t) => {
  const { status, body, headers } = await ada.post('/v1/tools', weather)
  t.equal(status, 201)
  t.equal(headers.get('etag'), '"1"')
  const tool = body.data
  t.match(tool, {
    ...weather,
    id: /^tool_[0-9a-z]{26}$/,
    kind: 'http',
    idempotent: false,
    owner: 'ada',
    unavailable: null,
    version: 1
  })
  t.notOk('project' in tool)
  t.match(await ada.get('/v1/tools/get_weather'), { status: 200, body: { data: tool } })
  t.match(await ada.get(`/v1/tools/${tool.id}`), { status: 200, body: { data: tool } })

  const changed = await ada.put('/v1/tools/get_weather', { description: 'Weather', idempotent: true })
  t.match(changed.body.data, {
    ...tool,
    description: 'Weather',
    idempotent: true,
    version: 2,
    updatedAt: String
  })
  t.match(await ada.put(`/v1/tools/${tool.id}`, { description: 'x' }, { 'if-match': '"1"' }), { status: 412 })
  t.match(await ada.put(`/v1/tools/${tool.id}`, changed.body.data, { 'if-match': '"2"' }), {
    status: 200,
    body: { data: { version: 2 } }
  })
  t.match(await ada.put('/v1/tools/get_weather', { name: 'weather' }), {
    body: { data: { name: 'weather' } }
  })
  t.match(await ada.get('/v1/tools/get_weather'), { status: 404 })
  t.match(await ada.delete('/v1/tools/weather', { 'if-match': '"1"' }), { status: 412 })
  t.match(await ada.delete('/v1/tools/weather'), {
    status: 200,
    body: { data: { id: tool.id, deleted: true } }
  })
  t.match(await ada.get(`/v1/tools/${tool.id}`), { status: 404 })
  t.match(await ada.delete('/v1/tools/weather'), { status: 404 })

  const facts = await factsOf(tool.id)
  t.same(
    facts.map(({ name }) => name),
    ['tools.created', 'tools.updated', 'tools.updated', 'tools.deleted']
  )
  t.notOk(
    facts.some(({ data }) => 'config' in data),
    'a fact tells no config'
  )
})

t.test('someone else’s is 403, unknown is 404, and without a credential it is 401', async (t) => {
  const { body } = await ada.post('/v1/tools', named('private'))
  const { id } = body.data
  for (const by of [eve, other])
    for (const reply of [
      await by.get(`/v1/tools/${id}`),
      await by.put(`/v1/tools/${id}`, { description: 'mine' }),
      await by.delete(`/v1/tools/${id}`)
    ])
      t.match(reply, refused(403, undefined, 'not_owner'))
  t.match(await eve.get('/v1/tools/private'), { status: 403 })
  t.match(await other.get('/v1/tools/private'), { status: 404 }, 'a name is of a project')
  t.match(await other.post('/v1/tools', named('private')), { status: 201 })
  t.match(await ada.get('/v1/tools/nope'), refused(404))
  t.match(await ada.get('/v1/tools/tool_01k4qz0000e0080000000000ab'), refused(404))
  t.match(await ada.put('/v1/tools/nope', { description: 'x' }), { status: 404 })
  for (const path of ['/v1/tools', '/v1/tools/static', '/v1/tools/private'])
    t.match(await anyone.get(path), { status: 401 })
  t.match(await anyone.post('/v1/tools', weather), { status: 401 })
})

t.test('with a permission others use it, and with another one they change it', async (t) => {
  const { body } = await ada.post('/v1/tools', named('lent'))
  const { id: toolId } = body.data
  const grant = (level: string) =>
    platform.knex('tools.permission').insert({
      project: 'default',
      id: `perm_${level}`,
      owner: 'ada',
      toolId,
      subjectType: 'user',
      subjectId: 'eve',
      level,
      grantedBy: 'ada'
    })
  await grant('use')
  t.match(await eve.get('/v1/tools/lent'), { status: 200 })
  t.match(await eve.put('/v1/tools/lent', { description: 'mine' }), { status: 403 })
  t.match(await eve.delete('/v1/tools/lent'), { status: 403 })
  t.match((await eve.get('/v1/tools')).body.data, [{ id: toolId, owner: 'ada' }])
  await platform.knex('tools.permission').update({ level: 'manage' }).where({ toolId })
  t.match(await eve.put('/v1/tools/lent', { description: 'better' }), { status: 200 })
  t.match(await eve.delete('/v1/tools/lent'), { status: 200 })
  t.same(await platform.knex('tools.permission').where({ toolId }), [], 'permissions go with the tool')
})

t.test('a list shows what the caller may use, newest first, in pages', async (t) => {
  const zoe = as('zoe')
  const names = ['one', 'two', 'three'].map((it) => `zoe_${it}`)
  for (const name of names) await zoe.post('/v1/tools', named(name))
  const first = await zoe.get('/v1/tools?limit=2')
  t.match(
    first.body.data.map(({ name }: { name: string }) => name),
    ['zoe_three', 'zoe_two']
  )
  const rest = await zoe.get(`/v1/tools?limit=2&cursor=${first.body.nextCursor}`)
  t.match(rest.body, { data: [{ name: 'zoe_one' }], nextCursor: null })
  t.equal((await zoe.get('/v1/tools?kind=http')).body.data.length, 3)
  t.match(await zoe.get('/v1/tools?kind=mcp'), refused(400, 'kind'))
  t.match(await zoe.get('/v1/tools?cursor=nope'), refused(400, 'cursor'))
  t.match(await zoe.get('/v1/tools?kin=http'), refused(400, 'kin'))
  const agent = await zoe.agent()
  const key = platform.credentials.createKey({
    project: 'default',
    environment: 'test',
    type: 'agent',
    name: 'itself',
    principal: agent.id,
    owner: zoe.id,
    admin: false
  })
  const itself = createClient(booted.url, agent.id, key)
  t.equal((await itself.get('/v1/tools')).body.data.length, 3, 'an agent uses what is its owner’s')
  t.match(await itself.put('/v1/tools/zoe_one', { description: 'x' }), { status: 403 })
  t.match(await itself.post('/v1/tools', named('own')), refused(403, undefined, 'agent_principal'))
  const service = as('backend', { type: 'service' })
  t.ok((await service.get('/v1/tools')).body.data.length > 3, 'a service reaches its project')
})

t.test('static tools are listed by themselves, and are nobody’s to change', async (t) => {
  const all = await ada.get('/v1/tools/static')
  t.match(all, {
    status: 200,
    body: {
      data: [
        { id: 'act', name: 'act', kind: 'static', owner: null },
        { name: 'ask', idempotent: true }
      ]
    }
  })
  t.equal(all.body.nextCursor, null)
  const first = await ada.get('/v1/tools/static?limit=1')
  t.match(first.body.data, [{ name: 'act' }])
  const rest = await ada.get(`/v1/tools/static?limit=1&cursor=${first.body.nextCursor}`)
  t.match(rest.body, { data: [{ name: 'ask' }], nextCursor: null })
  t.match(await ada.get('/v1/tools/static?cursor=x'), refused(400, 'cursor'))
  t.match(await eve.get('/v1/tools/act'), { status: 200, body: { data: all.body.data[0] } })
  t.match(await ada.put('/v1/tools/act', { description: 'x' }), refused(403, undefined, 'static_tool'))
  t.match(await ada.delete('/v1/tools/act'), refused(403, undefined, 'static_tool'))
  t.match(await ada.post('/v1/tools', named('act')), refused(409, undefined, 'name_taken'))
})

t.test('names are unique in a project, and some are nobody’s', async (t) => {
  t.match(await ada.post('/v1/tools', named('taken')), { status: 201 })
  t.match(await eve.post('/v1/tools', named('taken')), refused(409, undefined, 'name_taken'))
  const { body } = await eve.post('/v1/tools', named('free'))
  t.match(
    await eve.put(`/v1/tools/${body.data.id}`, { name: 'taken' }),
    refused(409, undefined, 'name_taken')
  )
  for (const name of ['static', 'index', 'public', 'calls', body.data.id, 'a b', '', 'x'.repeat(65)])
    t.match(await ada.post('/v1/tools', named(name)), refused(400, '/name'), name)
  t.match(await eve.put('/v1/tools/free', { name: 'static' }), refused(400, '/name'))

  const replies = await Promise.all(Array.from({ length: 5 }, () => ada.post('/v1/tools', named('raced'))))
  t.same(replies.map(({ status }) => status).sort(), [201, 409, 409, 409, 409])
})

t.test('a kind must be one that clients register', async (t) => {
  t.match(await ada.post('/v1/tools', named('odd', { kind: 'mcp' })), refused(400, '/kind'))
  t.match(await ada.post('/v1/tools', named('odd', { kind: '' })), refused(400, '/kind'))
  const { config: _, ...incomplete } = weather
  t.match(await ada.post('/v1/tools', incomplete), refused(400, '/config'))
  t.match(await ada.post('/v1/tools', { ...weather, owner: 'eve' }), refused(400, '/owner'))
})

t.test('parameters are JSON Schema of an object, and nothing that is not', async (t) => {
  const wrong: [string, object][] = [
    ['/parameters/type', {}],
    ['/parameters/type', { type: 'array' }],
    ['/parameters/properties/a/type', { properties: { a: { type: 'strin' } } }],
    ['/parameters/required', { required: 'a' }],
    ['/parameters/properties/a/pattern', { properties: { a: { pattern: '(' } } }],
    ['/parameters/patternProperties/[', { patternProperties: { '[': {} } }],
    ['/parameters/properties/a/pattern', { properties: { a: { pattern: 'x'.repeat(1_001) } } }],
    ['/parameters/properties/a/$ref', { properties: { a: { $ref: '#/$defs/none' } } }],
    ['/parameters/properties/a/$ref', { properties: { a: { $ref: 'https://example.com/schema.json' } } }],
    ['/parameters/$schema', { $schema: 'http://json-schema.org/draft-04/schema#' }],
    ['/parameters', { description: 'x'.repeat(70_000) }],
    ['/parameters', { properties: { a: nested(70) } }]
  ]
  for (const [param, parameters] of wrong) {
    const body = { type: 'object', ...parameters }
    if (Object.keys(parameters).length === 0) Reflect.deleteProperty(body, 'type')
    t.match(await ada.post('/v1/tools', named('wrong', { parameters: body })), refused(400, param), param)
  }
  const { body } = await ada.post('/v1/tools', named('right'))
  const changed = await ada.put(`/v1/tools/${body.data.id}`, { parameters: { type: 'object', required: 1 } })
  t.match(changed, refused(400, '/parameters/required'))
})

const nested = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { properties: { a: nested(levels - 1) } }

t.test('packs keep tools of their own among them', async (t) => {
  const tools = toolsOf()
  const by = { project: 'default', owner: 'ada', id: 'ada', type: 'user' as const } as never
  const managed = (id: string, fields: object = {}) => ({
    id,
    project: 'default',
    owner: 'ada',
    kind: 'mcp',
    name: 'server__search',
    description: 'Searches',
    parameters: { type: 'object' },
    config: { serverId: 's' },
    idempotent: false,
    unavailable: null,
    ...fields
  })
  const [one, two] = ['mcptool_01k4qz0000e0080000000000ab', 'mcptool_01k4qz0000e0080000000000ac'] as const
  const save = (...all: ReturnType<typeof managed>[]) =>
    platform.knex.transaction((trx) => tools.saveManaged(trx, by, all))
  const names = await save(
    managed(one),
    managed(two),
    managed('mcptool_01k4qz0000e0080000000000ad', { name: 'act' })
  )
  t.equal(names.get(one), 'server__search')
  t.match(names.get(two), /^server__search_[0-9a-f]{8}$/)
  t.match(names.get('mcptool_01k4qz0000e0080000000000ad'), /^act_[0-9a-f]{8}$/)
  t.same(
    await save(managed(two), managed(one)),
    new Map([
      [two, names.get(two)],
      [one, names.get(one)]
    ]),
    'they keep them'
  )
  t.match(await ada.get(`/v1/tools/${one}`), { body: { data: { version: 1, kind: 'mcp', owner: 'ada' } } })
  const broken = { type: 'object', properties: { a: { type: 'nonsense' } } }
  const [unavailable] = await tools.examine(by, [broken])
  t.match(unavailable, /no valid JSON Schema: \/properties\/a\/type/)
  await save(managed(one, { description: 'Finds' }), managed(two, { parameters: broken, unavailable }))
  t.match(await ada.get(`/v1/tools/${one}`), { body: { data: { version: 2, description: 'Finds' } } })
  t.match(await ada.get(`/v1/tools/${two}`), { body: { data: { unavailable } } })

  t.match(
    await ada.put('/v1/tools/server__search', { description: 'x' }),
    refused(409, undefined, 'kept_by_pack')
  )
  t.match(await ada.delete('/v1/tools/server__search'), refused(409, undefined, 'kept_by_pack'))
  t.match(await eve.get('/v1/tools/server__search'), { status: 403 })

  await platform.knex.transaction((trx) => tools.removeManaged(trx, by, 'default', [one, two]))
  t.match(await ada.get(`/v1/tools/${one}`), { status: 404 })
  t.match((await factsOf(one)).at(-1), { name: 'tools.deleted', data: { id: one, name: 'server__search' } })
})

function toolsOf(): Pick<Tools, 'saveManaged' | 'removeManaged' | 'examine'> {
  const deps = platform.server.current().packs.get('tools')?.deps
  if (!deps) throw new Error('tools does not run')
  return deps.managedTools as never
}
