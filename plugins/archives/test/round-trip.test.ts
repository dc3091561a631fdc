// budget: 25 s, because two whole platforms have an agent each, with everything
// tier: whole
import t from 'tap'
import { boot } from '../../../test/boot.ts'
import type { Client } from '../../../test/client.ts'
import { part, upload } from '../../../test/uploads.ts'
import type { Content } from './testbed.ts'
import { at, contentOf, exported, imported } from './testbed.ts'

const packs = [
  'archives',
  'autonomy',
  'computers',
  'extraction',
  'goals',
  'knowledge',
  'library',
  'memory',
  'provenance',
  'skills',
  'tasks',
  'toolbox',
  'workflows'
] as const
const include = ['sessions', 'library']

/** Without ids and times, which are new ones elsewhere; a picture is encoded anew. */
function plain(content: Content): Record<string, unknown> {
  const text = JSON.stringify(content.records)
    .replace(/\b[a-z_]+_[0-7][0-9a-z]{25}\b/g, 'id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
  const records = JSON.parse(text)
  for (const { data } of records.files) data.sha256 = 'picture'
  return records
}

async function furnish(ada: Client) {
  const agent = await ada.agent({
    name: 'Grace',
    instructions: 'Be brief.',
    modelProvider: 'local',
    options: { seed: 7, stop: ['END'] }
  })
  const { id: agentId } = agent
  const made = async (path: string, body: object) => {
    const reply = await ada.post(`/v1/${path}`, body)
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`)
    return reply.body.data
  }
  await ada.put(`/v1/agents/${agentId}/knowledgebase`, { content: 'The office closes at six.' })
  await made(`agents/${agentId}/tools`, { toolId: 'calculator', policy: 'ask' })
  await made('goals', { agentId, title: 'Ship the beta', progress: 40 })
  const skill = await made('skills', {
    name: 'tea',
    description: 'Makes tea',
    files: [{ path: 'a.md', content: 'green' }]
  })
  await ada.put(`/v1/skills/${skill.id}/agents/${agentId}`, { attached: true })

  const first = await made('memory', { agentId, content: 'Invoices go out on Mondays.', importance: 0.9 })
  await made('memory', { agentId, content: 'Invoices go out on Fridays.', supersedes: first.id })
  await made('memory', { agentId, content: 'The cat is called Miro.', type: 'preference' })
  await ada.patch(`/v1/memory/agents/${agentId}/settings`, { contextTokens: 700 })

  const space = await made('knowledge', { name: 'Handbook' })
  const folder = await made(`knowledge/${space.id}/folders`, { name: 'rules' })
  await made(`knowledge/${space.id}/documents`, {
    title: 'Holidays',
    content: 'Everybody has thirty days of holiday.',
    folderId: folder.id
  })
  const [file] = [
    (await upload(ada, [part('prices.csv', 'item,price\nscrew,7 florins\n', 'text/csv')])).body.data
  ]
  await made(`knowledge/${space.id}/import`, { fileIds: [file.id] })
  await made(`knowledge/${space.id}/grants`, { subjectType: 'agent', subjectId: agentId, level: 'write' })

  const run = await made('agents/run', {
    agentId,
    messages: [{ role: 'user', content: '/say Good morning' }]
  })
  const workflow = await made('workflows', {
    name: 'Greeting',
    definition: { steps: [{ id: 'greet', type: 'agent', config: { agentId, prompt: 'Greet.' } }] }
  })
  await made('tasks', { agentId, title: 'Report', cronExpression: '0 9 * * 1', isRecurring: true })
  await made('tasks', { agentId, title: 'Flow', executionMode: 'workflow', workflowId: workflow.id })
  await ada.put(`/v1/agents/${agentId}/autonomy`, {
    enabled: true,
    intervalMinutes: 600,
    prompt: 'Look around.'
  })
  await ada.put(`/v1/agents/${agentId}/computer/config`, { vcpu: 2, allowedHosts: ['example.com'] })
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64'
  )
  const avatar = await upload(ada, [part('a.png', png, 'image/png')], {}, `/v1/agents/${agentId}/avatar`)
  if (avatar.status !== 201) throw new Error(avatar.text)
  return { agentId, spaceId: space.id as string, sessionId: run.sessionId as string }
}

t.test('an agent with everything goes to another platform, and is the same there', async (t) => {
  const folder = t.testdir()
  const a = await boot(t, ...packs)
  const ada = at(a.url, a.as('ada'))
  const { agentId } = await furnish(ada)
  await a.settled()
  const items = (await ada.get('/v1/library')).body.data
  await ada.post(`/v1/library/${items[0].id}/grants`, {
    subjectType: 'agent',
    subjectId: agentId,
    level: 'read'
  })
  const { record, bytes } = await exported(ada, agentId, include)
  t.match(record, { status: 'completed', leftOut: ['computer'] })
  const content = await contentOf(folder, bytes)
  const counts = Object.fromEntries(record.parts.map(({ pack, records }: never) => [pack, records]))
  t.same(
    Object.entries(counts).filter(([, count]) => count === 0),
    [],
    'every part has something'
  )
  t.notMatch(content.text, /\bada\b/, 'and nothing says whose it was')

  const b = await boot(t, ...packs)
  const bob = at(b.url, b.as('bob'))
  const done = await imported(bob, bytes, { trustedKeys: [record.keyId], activate: true })
  t.match(done, { status: 'completed', report: { lacks: [{ type: 'workflow' }] } })
  const id: string = done.agentId
  await b.settled()

  const again = await exported(bob, id, include)
  t.same(plain(await contentOf(folder, again.bytes)), plain(content), 'what is exported there is the same')

  t.match((await bob.get(`/v1/agents/${id}`)).body.data, {
    owner: 'bob',
    instructions: 'Be brief.',
    options: { seed: 7, stop: ['END'] },
    avatar: { url: `/v1/agents/${id}/avatar` }
  })
  const search = (path: string) => bob.get(path).then(({ body }) => body.data)
  t.match(await search(`/v1/memory/agents/${id}/retrieve?query=invoices`), [
    { content: 'Invoices go out on Fridays.' }
  ])
  t.equal((await search(`/v1/memory/agents/${id}?all=true`)).length, 3, 'the past as well')
  const [space] = await search('/v1/knowledge')
  t.match(space, { name: 'Handbook', owner: 'bob' })
  const found = await bob.get(`/v1/knowledge/${space.id}/search?query=florins`)
  t.match(found.body.data, [{ text: /7 florins/ }])
  const documents = await search(`/v1/knowledge/${space.id}/documents`)
  const csv = documents.find(({ path }: { path: string }) => path === 'prices.csv')
  t.equal(
    (await bob.get(`/v1/files/${csv.fileId}/content`)).text,
    'item,price\nscrew,7 florins\n',
    'with its original'
  )
  const [session] = await search(`/v1/sessions/agent/${id}`)
  t.match((await bob.get(`/v1/sessions/${session.id}/full`)).body.data.messages, [
    { role: 'user', content: '/say Good morning' },
    { role: 'assistant', content: 'Good morning' }
  ])
  const tasks = await search(`/v1/tasks?agentId=${id}`)
  t.match(tasks, [
    { title: 'Flow', executionMode: 'workflow' },
    { title: 'Report', status: 'scheduled', nextRunAt: /T/ }
  ])
  const workflow = (await bob.get(`/v1/workflows/${tasks[0].workflowId}`)).body.data
  t.equal(workflow.definition.steps[0].config.agentId, id, 'what named the agent names the new one')
  const run = await bob.post('/v1/agents/run', {
    agentId: id,
    messages: [{ role: 'user', content: '/say Hello' }]
  })
  t.match(run, { status: 200, body: { data: { content: 'Hello' } } }, 'and it answers')
  t.match(await search('/v1/library'), [{ name: 'prices.csv' }])

  t.test('without being told to, nothing acts by itself', async (t) => {
    const rests = await imported(bob, bytes, { trustedKeys: [record.keyId] })
    const tasks = (await bob.get(`/v1/tasks?agentId=${rests.agentId}`)).body.data
    t.match(tasks, [
      { title: 'Flow', status: 'cancelled' },
      { title: 'Report', status: 'cancelled', nextRunAt: null, cronExpression: '0 9 * * 1' }
    ])
    t.match((await bob.get(`/v1/agents/${rests.agentId}/autonomy`)).body.data, {
      enabled: false,
      intervalMinutes: 600
    })
  })

  t.test('one that nobody vouches for is marked', async (t) => {
    const taken = await imported(bob, bytes, { acceptUnsigned: true })
    const memories = (await bob.get(`/v1/memory/agents/${taken.agentId}`)).body.data
    t.ok(memories.every(({ untrusted }: { untrusted: boolean }) => untrusted))
  })
})
