// budget: 8 s, because two platforms export and import agents many times
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { at, bytesOf, contentOf, examined, exported, imported, uploaded } from './testbed.ts'

const packs = ['archives', 'goals', 'skills', 'toolbox', 'provenance', 'outgoing'] as const
const env = { OUTGOING_ALLOW: '127.0.0.1/32' }
const here = boot(t, ...packs, { env })
const there = boot(t, 'archives', 'packs', 'skills', 'toolbox', { env })

async function furnished() {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const agent = await ada.agent({ name: 'Grace', instructions: 'Be brief.', temperature: 0.5 })
  await ada.put(`/v1/agents/${agent.id}/knowledgebase`, { content: 'The office closes at six.' })
  await ada.post('/v1/goals', { agentId: agent.id, title: 'Ship the beta' })
  const { body: tool } = await ada.post('/v1/tools', {
    name: `weather_${agent.id.slice(-6)}`,
    description: 'Tells the weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    config: {
      method: 'GET',
      url: 'http://127.0.0.1:3999/w',
      query: { city: '{{city}}', api_key: 'planted-1' }
    }
  })
  await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: tool.data.id, policy: 'ask' })
  await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'calculator' })
  const { body: skill } = await ada.post('/v1/skills', {
    name: 'brew-tea',
    description: 'Makes tea',
    instructions: 'Boil water.',
    files: [{ path: 'kinds.md', content: 'green, black' }]
  })
  await ada.put(`/v1/skills/${skill.data.id}/agents/${agent.id}`, { attached: true })
  return { ada, agent, tool: tool.data, skill: skill.data }
}
const grace = here.then(furnished)

t.test('an agent is exported, and imported elsewhere', async (t) => {
  const { ada, agent, tool } = await grace
  const { record, bytes } = await exported(ada, agent.id)
  t.match(record, {
    status: 'completed',
    agentId: agent.id,
    owner: 'ada',
    keyId: /^[0-9a-f]{64}$/,
    size: bytes.length
  })
  const content = await contentOf(t.testdir(), bytes)
  t.match(content.paths.at(-1), 'signature.json')
  t.notMatch(content.text, /planted-1/, 'what looks like a secret stays here')
  t.match(record.needs, [{ pack: 'tools', type: 'key', name: /api_key/ }])

  const b = await there
  const bob = at(b.url, b.as('bob'))
  const report = await examined(bob, bytes)
  t.match(report, {
    status: 200,
    body: { data: { agentName: 'Grace', signature: { status: 'unknown', keyId: record.keyId } } }
  })
  t.match(
    report.body.data.parts.filter(({ skipped }: { skipped: string | null }) => skipped),
    [{ pack: 'goals', skipped: 'not_mounted', records: 1 }],
    'what no pack here reads is named'
  )
  t.match((await bob.get('/v1/agents')).body.data, [], 'a report makes nothing')
  t.match(await imported(bob, bytes), {
    status: 400,
    error: { code: 'archive_untrusted', param: '/acceptUnsigned' }
  })

  const done = await imported(bob, bytes, { trustedKeys: [record.keyId] })
  t.match(done, { status: 'completed', report: { signature: { status: 'trusted' } } })
  t.match((await bob.get(`/v1/agents/${done.agentId}`)).body.data, {
    owner: 'bob',
    name: 'Grace',
    instructions: 'Be brief.',
    temperature: 0.5
  })
  t.match((await bob.get(`/v1/agents/${done.agentId}/knowledgebase`)).body.data, {
    content: 'The office closes at six.'
  })
  const assigned = (await bob.get(`/v1/agents/${done.agentId}/tools`)).body.data
  t.match(assigned, [
    { toolName: 'calculator', policy: 'allow' },
    { toolName: tool.name, policy: 'ask' }
  ])
  t.match((await bob.get(`/v1/tools/${tool.name}`)).body.data, {
    owner: 'bob',
    config: { query: { city: '{{city}}' } }
  })
  t.match((await bob.get(`/v1/skills/agents/${done.agentId}`)).body.data, [
    { slug: 'brew-tea', owner: 'bob' }
  ])

  const again = await contentOf(t.testdir(), (await exported(bob, done.agentId)).bytes)
  t.same(plain(again.records.skills), plain(content.records.skills))
  t.same(plain(again.records.agents), plain(content.records.agents))
  t.same(plain(again.records.tools), plain(content.records.tools))
})

/** Without ids, which are new ones elsewhere. */
const plain = (records: unknown) => JSON.parse(JSON.stringify(records).replace(/\w+_[0-9a-z]{26}/g, 'id'))

t.test('the same platform believes itself, and makes nothing twice that is there', async (t) => {
  const { ada, agent, skill } = await grace
  const { bytes } = await exported(ada, agent.id)
  const done = await imported(ada, bytes, { name: 'Hopper' })
  t.match(done, { status: 'completed' })
  t.match((await ada.get(`/v1/agents/${done.agentId}`)).body.data, { name: 'Hopper' })
  t.match((await ada.get(`/v1/skills/agents/${done.agentId}`)).body.data, [{ id: skill.id }])
  t.match((await ada.get(`/v1/goals?agentId=${done.agentId}`)).body.data, [{ title: 'Ship the beta' }])
})

t.test('whom to believe is said by the request, the settings, or the project that signed', async (t) => {
  const { ada, agent } = await grace
  const { record, bytes } = await exported(ada, agent.id)
  const a = await here
  const elsewhere = at(a.url, a.as('zed', { project: 'other' }))
  const statusOf = async (client: typeof ada) => (await examined(client, bytes)).body.data.signature.status
  t.equal(await statusOf(ada), 'trusted')
  t.equal(await statusOf(elsewhere), 'unknown', 'another project vouches for nothing here')
  const b = await there
  const bob = at(b.url, b.as('bob'))
  t.equal(await statusOf(bob), 'unknown')
  const trustedKeys = `${'0'.repeat(64)},${record.keyId}`
  t.match(await b.admin.put('/v1/packs/archives', { settings: { trustedKeys } }), { status: 200 })
  t.equal(await statusOf(bob), 'trusted')
  t.match(await imported(bob, bytes), { status: 'completed' })
})

t.test('who may, and what is refused', async (t) => {
  const { ada, agent } = await grace
  const a = await here
  const eve = at(a.url, a.as('eve'))
  const path = `/v1/agents/${agent.id}/export`
  t.match(await eve.post(path), { status: 403, body: { error: { code: 'not_owner' } } })
  t.match(await ada.post('/v1/agents/agent_nope/export'), { status: 404 })
  t.match(await ada.post(path, { include: ['nope'] }), {
    status: 400,
    body: { error: { param: '/include/0' } }
  })
  t.match(await ada.post(path, { inclde: [] }), { status: 400, body: { error: { param: '/inclde' } } })
  t.match(await a.anyone.post(path), { status: 401 })
  const asAgent = a.as(agent.id, { type: 'agent', owner: 'ada' })
  t.match(await asAgent.post(path), { status: 403 }, 'an agent takes nothing away by itself')

  const { record, bytes } = await exported(ada, agent.id)
  const one = `/v1/agents/exports/${record.id}`
  for (const route of [one, `/v1/files/${record.fileId}/content`])
    t.match(await eve.get(route), { status: 403 })
  t.match(await eve.delete(one), { status: 403 })
  t.match(await ada.get('/v1/agents/exports/agent_export_nope'), { status: 404 })
  t.match(await ada.delete('/v1/agents/exports/agent_export_nope'), { status: 404 })
  t.match((await eve.get('/v1/agents/exports')).body.data, [])
  t.match(await eve.get(`/v1/agents/exports?agentId=${agent.id}`), { status: 403 })
  t.match(await ada.get('/v1/agents/exports?agentId=agent_nope'), { status: 404 })
  t.ok((await ada.get(`/v1/agents/exports?agentId=${agent.id}&limit=1`)).body.nextCursor)

  const fileId = await uploaded(ada, bytes)
  t.match(await eve.post('/v1/agents/import', { fileId }), {
    status: 403,
    body: { error: { param: '/fileId' } }
  })
  t.match(await eve.post('/v1/agents/import?dryRun=true', { fileId }), { status: 403 })
  t.match(await ada.post('/v1/agents/import', { fileId: 'file_nope' }), {
    status: 404,
    body: { error: { param: '/fileId' } }
  })
  t.match(await ada.post('/v1/agents/import', {}), { status: 400 })
  t.match(await ada.post('/v1/agents/import?dryRun=maybe', { fileId }), { status: 400 })
  t.match(await ada.get('/v1/agents/imports/agent_import_nope'), { status: 404 })
  const text = await uploaded(ada, Buffer.from('no archive'))
  t.match(await ada.post('/v1/agents/import', { fileId: text }), {
    status: 400,
    body: { error: { code: 'archive_broken' } }
  })

  const done = await imported(ada, bytes)
  t.match(await eve.get(`/v1/agents/imports/${done.id}`), { status: 403 })
  t.match((await eve.get('/v1/agents/imports')).body.data, [])
  t.ok((await ada.get('/v1/agents/imports')).body.data.some(({ id }: { id: string }) => id === done.id))

  t.match(await ada.delete(one), { status: 200, body: { data: { id: record.id, deleted: true } } })
  t.match(await ada.get(one), { status: 404 })
  t.match(await ada.get(`/v1/files/${record.fileId}`), { status: 404 }, 'with its archive')
})

t.test('a narrowed credential takes along what it may read, and makes what it may write', async (t) => {
  const { agent } = await grace
  const a = await here
  const scopes = ['agents:create', 'agents:read', 'agents:write', 'files:read', 'files:write', 'goals:read']
  const narrow = at(a.url, a.as('ada', { scopes }))
  const { record, bytes } = await exported(narrow, agent.id)
  t.match(
    record.parts.map(({ pack }: { pack: string }) => pack),
    ['agents', 'files', 'goals']
  )
  t.same(record.leftOut, ['sessions', 'skills', 'tools'])
  t.match((await examined(narrow, bytes)).body.data.parts[2], { pack: 'goals', skipped: 'not_allowed' })
  const done = await imported(narrow, bytes)
  const ada = a.as('ada')
  t.match((await ada.get(`/v1/goals?agentId=${done.agentId}`)).body.data, [])
})

t.test('the same request again is the same export, and only so many are under way', async (t) => {
  const { ada, agent } = await grace
  const headers = { 'idempotency-key': 'once' }
  const [one, two] = [
    await ada.post(`/v1/agents/${agent.id}/export`, {}, headers),
    await ada.post(`/v1/agents/${agent.id}/export`, {}, headers)
  ]
  t.equal(one.body.data.id, two.body.data.id)
  const { bytes } = await exported(ada, agent.id)
  const fileId = await uploaded(ada, bytes)
  const imports = [
    await ada.post('/v1/agents/import', { fileId }, headers),
    await ada.post('/v1/agents/import', { fileId }, headers)
  ]
  t.equal(imports[0]?.body.data.id, imports[1]?.body.data.id, 'and the same import')

  const a = await here
  await a.platform.knex('archives.export').insert(
    Array.from({ length: 4 }, (_, index) => ({
      project: 'default',
      id: `agent_export_${index}`,
      owner: 'gus',
      agentId: 'agent_gone',
      status: 'queued',
      include: '[]',
      progress: '{}'
    }))
  )
  const gus = a.as('gus')
  const { id } = await gus.agent()
  t.match(await gus.post(`/v1/agents/${id}/export`), {
    status: 409,
    body: { error: { code: 'too_many_running' } }
  })
})

t.test('an archive outlives its agent', async (t) => {
  const a = await here
  const ada = at(a.url, a.as('ada'))
  const { id } = await ada.agent()
  const { record, bytes } = await exported(ada, id)
  await ada.delete(`/v1/agents/${id}`)
  t.same(await bytesOf(ada, record.fileId), bytes, 'the archive outlives its agent')
  t.match(await imported(ada, bytes), { status: 'completed' })
})
