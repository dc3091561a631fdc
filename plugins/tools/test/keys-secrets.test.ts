import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { json, service } from '../../../test/loopback.ts'
import type { KeyService } from '../services/keys.ts'

const SECRET = 'sk-live-7f3a9c1e5b2d'
const OTHER = 'sk-live-0d4b8f6a2c9e'

t.test('a key is nowhere to be read', async (t) => {
  const lines: string[] = []
  const api = await service(t, (reply, { headers }) => json(reply, 200, headers))
  const { as, platform, settled } = await boot(t, 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tools', {
    env: { OUTGOING_ALLOW: '127.0.0.1' },
    log: (line) => lines.push(JSON.stringify(line))
  })
  const ada = as('ada')
  const KEYS = '/v1/tool-keys'
  const input = { name: 'Weather', value: SECRET, allowedHosts: [api.host] }
  const once = { 'idempotency-key': 'once' }
  const made = await ada.post(KEYS, input, once)
  const key = `${KEYS}/${made.body.data.id}`
  const tool = await ada.post('/v1/tools', {
    name: 'weather',
    description: 'x',
    config: { method: 'GET', url: api.url }
  })
  const mapping = { keyId: made.body.data.id, toolId: tool.body.data.id, in: 'header', name: 'x-api-key' }
  const agent = await ada.agent()
  await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'weather' })
  const calling = { agentId: agent.id, toolName: 'weather', args: {} }
  const replies = [
    made,
    await ada.post(KEYS, input, once),
    await ada.post(KEYS, { ...input, value: `${SECRET} ` }),
    await ada.post(KEYS, { ...input, value: `${SECRET}\n` }),
    await ada.post(KEYS, { ...input, allowedHosts: ['*'] }),
    await ada.put(`${key}/value`, { value: `ü${SECRET}` }),
    await ada.put(`${key}/metadata`, { value: SECRET, allowedHosts: [api.host, '127.0.0.1:9'] }),
    await ada.get(key),
    await ada.get(KEYS),
    await ada.post(`${key}/test`, { url: api.url, in: 'query', name: 'key' }),
    await ada.post(`${key}/test`, { url: 'http://127.0.0.1:9', in: 'query', name: 'key' }),
    await ada.post(`${key}/test`, { url: 'http://127.0.0.1:10', in: 'query', name: 'key' }),
    await ada.post(`${KEYS}/map`, mapping),
    await ada.post(`${KEYS}/map`, mapping),
    await ada.get('/v1/tools/weather'),
    await ada.post('/v1/agents/tools', calling),
    await ada.delete(key)
  ]
  t.equal(replies[1]?.headers.get('idempotency-replayed'), 'true')
  t.same(
    replies.map(({ status }) => status),
    [201, 201, 400, 400, 400, 400, 200, 200, 200, 200, 502, 403, 201, 409, 200, 200, 200]
  )
  t.match(replies.at(-2)?.body.data, { isError: false, output: { 'x-api-key': '[redacted]' } })
  await ada.post(KEYS, input)
  await settled()
  t.ok(
    api.asked.some(({ path }) => path.includes(SECRET)),
    'it was sent'
  )
  const tables = await platform.knex
    .select('schemaname', 'tablename')
    .from('pg_tables')
    .whereNotIn('schemaname', ['pg_catalog', 'information_schema'])
  const rows = await Promise.all(
    tables.map(({ schemaname, tablename }) =>
      platform.knex.raw('select json_agg(t)::text as all from ??.?? t', [schemaname, tablename])
    )
  )
  const stored = rows.map(({ rows: [row] }) => row.all).join()
  t.match(stored, /"sealed":"v1\./)
  const told = replies.map(({ text, headers }) => text + JSON.stringify([...headers]))
  for (const [where, text] of Object.entries({ stored, told: told.join(), log: lines.join() }))
    t.notOk(text.includes(SECRET), where)
  t.ok(lines.length > 0)
})

t.test('a value opens in its own row only', async (t) => {
  const { as, platform } = await boot(t, 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tools')
  const { knex } = platform
  const keys = platform.server.current().packs.get('tools')?.deps.keyService as KeyService
  const newKey = async (by: ReturnType<typeof as>, value: string) => {
    const input = { name: 'x', value, allowedHosts: ['a.example'] }
    return (await by.post('/v1/tool-keys', input)).body.data.id as string
  }
  const [hers, his, theirs] = [
    await newKey(as('ada'), SECRET),
    await newKey(as('eve'), OTHER),
    await newKey(as('ada', { project: 'other' }), OTHER)
  ]
  const by = { project: 'default', owner: 'ada' }
  const open = (id: string, project = 'default') =>
    keys.openKey({ ...by, project }, id, new URL('https://a.example'))
  t.equal(await open(hers), SECRET)
  const sealed = async (id: string) => (await knex('tools.tool_key').where({ id }).first('sealed')).sealed
  const before = await sealed(hers)
  for (const from of [his, theirs]) {
    await knex('tools.tool_key')
      .where({ id: hers })
      .update({ sealed: await sealed(from) })
    await t.rejects(open(hers), { kind: 'unavailable', code: 'key_unreadable', message: /cannot be opened$/ })
    const reply = await as('ada').post(`/v1/tool-keys/${hers}/test`, {
      url: 'https://a.example/',
      in: 'header',
      name: 'x'
    })
    t.match(reply, { status: 503, body: { error: { code: 'key_unreadable' } } })
  }
  await knex('tools.tool_key').where({ id: his }).update({ sealed: before, owner: 'ada' })
  await t.rejects(
    open(his),
    { kind: 'unavailable', code: 'key_unreadable' },
    'nor does a stolen one in a row of one’s own'
  )
  await knex('tools.tool_key')
    .where({ id: hers })
    .update({ sealed: `${before.slice(0, -2)}AA` })
  await t.rejects(open(hers), { kind: 'unavailable', code: 'key_unreadable' })

  const row = { project: 'default', id: 'tmap_1', owner: 'eve', keyId: hers, toolId: 'tool_1' }
  await knex('tools.key_mapping').insert({ ...row, in: 'header', name: 'x' })
  await t.rejects(
    keys.listInjected('default', 'tool_1'),
    { kind: 'conflict', code: 'key_missing' },
    'nor one that its owner did not map'
  )
})
