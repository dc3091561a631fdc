import t from 'tap'
import type { Principal } from '../kernel/identity/ownership.ts'
import { compileSchema } from '../kernel/untrusted/schemas/json-schema.ts'
import type { CapabilityCall, UiPlugins } from '../plugins/ui-plugins/contract.ts'
import { boot } from './boot.ts'
import type { Client } from './client.ts'

const booted = await boot(t)
const { as, admin, platform, settled } = booted
const [ada, eve] = [as('ada'), as('eve')]
const path = '/v1/ui-plugins'
const refuses = (status: number, code?: string, param?: string) => ({
  status,
  body: { error: { ...(code && { code }), ...(param && { param }) } }
})
const made = async (path: string, body: object) => {
  const { status, body: reply, text } = await ada.post(path, body)
  if (status !== 201) throw new Error(`${path}: ${text}`)
  return reply.data
}
const run = async (agentId: string, content: string, more: object = {}) => {
  const { body, text } = await ada.post('/v1/agents/run', {
    agentId,
    messages: [{ role: 'user', content }],
    ...more
  })
  if (!body.data) throw new Error(text)
  return body.data
}

interface Offered {
  readonly name: string
  readonly pack: string
  readonly narrowedTo: 'agents' | 'spaces' | null
  readonly params: { readonly type: string; readonly required?: string[]; readonly properties: object }
  readonly result: object
  readonly [more: string]: unknown
}
const catalogue: Offered[] = (await ada.get(`${path}/capabilities?limit=100`)).body.data

/** Ada, as a pack is told of her. */
const by: Principal = {
  id: 'ada',
  project: 'default',
  owner: 'ada',
  type: 'user',
  scopes: new Set(['agents:run'])
} as never

/** An app that asks for everything, for the whole project, with these grants, and perhaps functions. */
async function enabled(
  id: string,
  grantOf: (capability: Offered) => object | undefined,
  functions: object = {}
) {
  const capabilities = catalogue.map(({ name }) => ({ name, reason: 'To be tested' }))
  const manifest = { manifestVersion: 1, id, name: id, version: '1.0.0', description: 'Asks', capabilities }
  const declared = Object.keys(functions).map((name) => ({
    name,
    description: name,
    input: { type: 'object' }
  }))
  const rest = { egress: [], connections: [], functions: declared, pages: [] }
  const bodies = Object.entries(functions).map(([name, body]) => `async ${name}(input, context) { ${body} }`)
  const text = `export const functions = { ${bodies.join(',')} }`
  const server = declared.length > 0 && { server: { entry: 'server.js' } }
  const registered = await ada.put(path, {
    manifest: { ...manifest, ...rest, ...server },
    files: server ? { 'server.js': { text } } : {}
  })
  const grants = catalogue.flatMap((capability) => {
    const narrowed = grantOf(capability)
    return narrowed ? [{ name: capability.name, ...narrowed }] : []
  })
  const status = { status: 'enabled', audience: 'project', grants: { capabilities: grants, hosts: [] } }
  const given = await admin.put(`${path}/${id}/status`, status)
  if (given.status !== 200) throw new Error(`${registered.text} ${given.text}`)
  return (method: string, params: unknown, by: Client = ada) =>
    by.post(`${path}/${id}/gateway`, { method, params })
}

const local = { modelProvider: 'local' }
const agent = await ada.agent({ name: 'Granted', instructions: 'Be brief', ...local })
const other = await ada.agent({ name: 'Other', ...local })
const agentId = agent.id
const space = await made('/v1/knowledge', { name: 'Handbook' })
const otherSpace = await made('/v1/knowledge', { name: 'Elsewhere' })
const spaceId = space.id
const room = await made('/v1/spaces', { name: 'Galley' })
const otherRoom = await made('/v1/spaces', { name: 'Bridge' })
await made(`/v1/spaces/${room.id}/messages`, { content: 'Tea is ready' })
const document = await made(`/v1/knowledge/${spaceId}/documents`, {
  title: 'Tea',
  content: 'Tea is at four.'
})
const goal = await made('/v1/goals', { agentId, title: 'Ship it' })
await made('/v1/memory', { agentId, content: 'Tea is drunk at four.' })
await made('/v1/skills', { name: 'brewing', description: 'How tea is made', instructions: 'Boil water.' })
const task = await made('/v1/tasks', { agentId, title: 'Brew' })
const workflow = await made('/v1/workflows', {
  name: 'Echo',
  definition: {
    steps: [{ id: 'echo', type: 'transform', config: { value: '{{ input.n }}' } }],
    output: '{{ steps.echo.output }}'
  }
})
const workflowId = workflow.id
const execution = await made(`/v1/workflows/${workflowId}/execute`, { input: { n: 1 } })
const waiting = { id: 'wait', type: 'wait', config: { seconds: 3_600 } }
await ada.post(`/v1/agents/${agentId}/tools`, { toolId: 'report_progress' })
const { id: runId, sessionId } = await run(agentId, 'Say hello')

const form = new FormData()
form.append('file', new Blob(['Tea list\n']), 'tea.txt')
const upload = await fetch(`${booted.url}/v1/files/upload`, {
  method: 'POST',
  headers: { authorization: `Bearer ${await ada.key()}` },
  body: form
})
const fileId = ((await upload.json()) as { data: { id: string } }).data.id
await settled()
const [item] = (await ada.get('/v1/library')).body.data

interface Case {
  readonly params: object | (() => Promise<object>)
  /** What its owner gets. */
  readonly gives: object
  /** What another principal gets: a refusal, nothing on the page, or as much as the owner. Default: a refusal. */
  readonly others?: 'nothing' | 'own'
}
const page = (...data: object[]) => ({ data })
const cases: Readonly<Record<string, Case>> = {
  'agents.list': { params: {}, gives: page({ id: other.id }, { id: agentId }), others: 'nothing' },
  'agents.read': { params: { agentId }, gives: { name: 'Granted', instructions: 'Be brief' } },
  'files.read': { params: { fileId }, gives: { name: 'tea.txt', text: 'Tea list\n' } },
  'files.store': {
    params: { name: 'note.txt', base64: Buffer.from('hello').toString('base64') },
    gives: { name: 'note.txt', size: 5 },
    others: 'own'
  },
  'goals.list': { params: { agentId, status: 'open' }, gives: page({ title: 'Ship it' }) },
  'goals.read': { params: { goalId: goal.id }, gives: { agentId, progress: 0 } },
  'goals.update': { params: { goalId: goal.id, progress: 100 }, gives: { status: 'done' } },
  'knowledge.list': { params: {}, gives: page({ id: otherSpace.id }, { id: spaceId }), others: 'nothing' },
  'knowledge.listDocuments': { params: { spaceId }, gives: page({ title: 'Tea' }) },
  'knowledge.read': {
    params: { spaceId, documentId: document.id },
    gives: { title: 'Tea', content: 'Tea is at four.' }
  },
  'knowledge.search': { params: { spaceId, query: 'tea' }, gives: page({ documentId: document.id }) },
  'knowledge.write': {
    params: { spaceId, title: 'Coffee', content: 'Coffee is at ten.' },
    gives: { title: 'Coffee', version: 1 }
  },
  'library.list': { params: { q: 'tea' }, gives: page({ name: 'tea.txt' }), others: 'nothing' },
  'library.preview': { params: { itemId: item.id }, gives: { mediaType: 'text/plain', text: 'Tea list\n' } },
  'library.read': { params: { itemId: item.id }, gives: { name: 'tea.txt', size: 9 } },
  'memory.remember': {
    params: { agentId, content: 'Milk goes in first.' },
    gives: { content: 'Milk goes in first.', untrusted: true }
  },
  'memory.search': { params: { agentId, query: 'When is tea?' }, gives: page({ type: 'fact' }) },
  'models.list': { params: { limit: 100 }, gives: { data: Array }, others: 'own' },
  'runs.cancel': {
    async params() {
      const { id } = await run(agentId, '/call book {}', { cliTools: [{ name: 'book' }] })
      return { runId: id }
    },
    gives: { status: 'cancelled' }
  },
  'runs.read': { params: { runId }, gives: { id: runId, status: 'completed', agentId } },
  'runs.start': { params: { agentId, message: 'Hello' }, gives: { id: /^run_/, sessionId: /^session_/ } },
  'runs.wait': { params: { runId, seconds: 5 }, gives: { status: 'completed' } },
  'sessions.list': { params: { agentId }, gives: page({ agentId }) },
  'sessions.read': { params: { sessionId }, gives: page({ role: 'assistant' }, { role: 'user' }) },
  'skills.list': { params: {}, gives: page({ slug: 'brewing' }), others: 'nothing' },
  'skills.read': { params: { skillId: 'brewing' }, gives: { instructions: 'Boil water.' } },
  'spaces.list': {
    params: {},
    gives: page({ id: otherRoom.id, role: 'owner' }, { id: room.id }),
    others: 'nothing'
  },
  'spaces.listMembers': { params: { spaceId: room.id }, gives: page({ subjectId: 'ada', role: 'owner' }) },
  'spaces.post': {
    params: { spaceId: room.id, content: 'Two sugars' },
    gives: { spaceId: room.id, content: 'Two sugars', authorType: 'user' }
  },
  'spaces.read': { params: { spaceId: room.id, query: 'ready' }, gives: page({ content: 'Tea is ready' }) },
  'tasks.cancel': { params: { taskId: task.id }, gives: { status: 'cancelled' } },
  'tasks.create': {
    params: { agentId, title: 'Brew again', scheduledFor: '2190-01-01T00:00:00.000Z' },
    gives: { title: 'Brew again', status: 'scheduled', nextRunAt: '2190-01-01T00:00:00.000Z' }
  },
  'tasks.list': { params: { agentId }, gives: { data: [{ title: /^Brew/ }] } },
  'tools.invoke': {
    params: { agentId, toolName: 'report_progress', args: { goalId: goal.id, progress: 50 } },
    gives: { isError: false, output: { progress: 50 } }
  },
  'tools.list': { params: { agentId }, gives: page({ name: 'report_progress', policy: 'allow' }) },
  'workflows.cancel': {
    async params() {
      const steps = [waiting]
      const { id } = await made('/v1/workflows', { name: 'Waits', definition: { steps } })
      const begun = await made(`/v1/workflows/${id}/execute`, {})
      return { workflowId: id, executionId: begun.id }
    },
    gives: { status: 'cancelled' }
  },
  'workflows.execute': { params: { workflowId, input: { n: 2 } }, gives: { workflowId, id: /^execution_/ } },
  'workflows.list': {
    params: { limit: 5 },
    gives: page({ name: 'Waits' }, { name: 'Echo' }),
    others: 'nothing'
  },
  'workflows.read': { params: { workflowId, executionId: execution.id }, gives: { workflowId } }
}

t.test('each capability says what it is, and takes and gives no more than it names', async (t) => {
  t.same(
    catalogue.map(({ name }) => name),
    Object.keys(cases).sort(),
    'each of them has a case here'
  )
  for (const { name, pack, title, description, reaches, params, result, idempotent, scope } of catalogue) {
    t.match(name, new RegExp(`^${pack}\\.[a-z][A-Za-z]+$`))
    for (const text of [title, description, reaches]) t.match(text, /^[A-Z].*[^.\s]$/, `${name}: ${text}`)
    t.match(params, { type: 'object', additionalProperties: false }, `${name}: its params`)
    t.match(result, { type: 'object', properties: Object }, `${name}: its result`)
    t.type(compileSchema(params), 'function')
    // One without a scope of its own asks a narrowed credential for less where it is idempotent.
    const isReading = /\.(list|listDocuments|listMembers|read|search|preview)$/.test(name)
    if ((scope as string[]).length === 0) t.equal(idempotent, isReading, `${name} is idempotent`)
  }
})

t.test('each capability is for whom the caller is, within what was granted', async (t) => {
  const all = await enabled('asks-all', () => ({}))
  const none = await enabled('asks-none', () => undefined)
  /** One that a grant names, and no case asks for. */
  const elsewhere = ({ narrowedTo, pack }: Pick<Offered, 'narrowedTo' | 'pack'>): string =>
    narrowedTo === 'agents' ? other.id : pack === 'knowledge' ? otherSpace.id : otherRoom.id
  const narrow = await enabled('asks-narrow', (offered) =>
    offered.narrowedTo ? { [offered.narrowedTo]: [elsewhere(offered)] } : {}
  )
  for (const { name, pack, params: schema, narrowedTo, result } of catalogue) {
    const { params: given, gives, others } = cases[name] as Case
    const params = typeof given === 'function' ? await given() : given
    t.match(await none(name, params), refuses(403, 'capability_not_granted'), `${name}, not granted`)
    const unheard = await all(name, { ...params, unheard: 1 })
    t.match(unheard, refuses(400, undefined, '/params/unheard'), `${name}, with what it does not know`)
    if (schema.required?.length) t.match(await all(name, {}), refuses(400), `${name}, without what it needs`)

    const strange = await all(name, params, eve)
    if (others === 'nothing') t.same(strange.body.data, { data: [], nextCursor: null }, `${name}, of others`)
    else if (others === 'own') t.equal(strange.status, 200, `${name}, of others`)
    else t.match(strange, { status: /403|404/, body: { error: { message: String } } }, `${name}, of others`)

    if (narrowedTo && Object.keys(params).length > 0)
      t.match(await narrow(name, params), refuses(403, 'narrowed'), `${name}, outside of its grant`)
    else if (narrowedTo) {
      const id = elsewhere({ narrowedTo, pack })
      t.match((await narrow(name, params)).body.data.data, [{ id }], `${name}, within its grant`)
    }

    const { status, body, text } = await all(name, params)
    t.match({ status, data: body.data }, { status: 200, data: gives }, `${name}: ${text}`)
    t.equal(compileSchema(result)(body.data), undefined, `${name} gives what it says`)
  }
  t.match(await narrow('goals.list', {}), refuses(403, 'narrowed'), 'all at once is more than was granted')
  t.match(await narrow('goals.list', { agentId: other.id }), { status: 200 })
  t.match(await narrow('knowledge.search', { query: 'tea' }), refuses(403, 'narrowed'))
  t.match(await narrow('spaces.post', { spaceId: otherRoom.id, content: 'Aye' }), { status: 200 })
  t.match(await all('spaces.read', { spaceId }), refuses(404), 'a knowledge space is no space')
  t.match(await all('knowledge.listDocuments', { spaceId: room.id }), refuses(404), 'nor the other way')
  t.notMatch((await all('agents.list', {})).text, /instructions|owner|project/, 'no more than it names')
})

t.test('what apps begin is told apart, waited for and bounded', async (t) => {
  const [one, two] = [await enabled('one-runner', () => ({})), await enabled('two-runner', () => ({}))]
  const order = { agentId, message: 'Hello', key: 'once' }
  const first = (await one('runs.start', order)).body.data
  t.same((await one('runs.start', order)).body.data, first, 'a key is a run')
  t.not((await two('runs.start', order)).body.data.id, first.id, 'of one app')
  t.match(await one('runs.wait', { runId: first.id }), { body: { data: { status: 'completed' } } })
  t.match(await one('runs.start', { agentId, message: 'a', sessionId: 'session_nope' }), refuses(404))
  const held = await run(agentId, '/call book {}', { cliTools: [{ name: 'book' }] })
  t.match(await one('runs.wait', { runId: held.id }), { body: { data: { status: 'waiting' } } })

  const offered = (name: string) =>
    platform.points.all('ui-plugins.capability').find(({ key }) => key === name)
  const context = { appId: 'app_1', depth: 3, runId } as CapabilityCall
  const call = (name: string, params: object, depth = 3) =>
    offered(name)?.value.call(by, params, { ...context, depth })
  const { id } = (await call('runs.start', { agentId, message: 'Deep' })) as { id: string }
  const row = await platform.knex('runs.run').where({ project: 'default', id }).first('request')
  t.match(row.request, { depth: 3, root: runId }, 'a run within a run descends from it')
  await t.rejects(async () => call('workflows.execute', { workflowId }, 1_000), { code: 'too_deep' })
})

t.test('a function has an agent answer, and knows when', async (t) => {
  const ask = await enabled('asks-agent', () => ({}), {
    answer: `const { id } = await context.platform.runs.start({ agentId: input.agentId, message: '/say Tea is at four.' })
      const { status, content } = await context.platform.runs.wait({ runId: id })
      return { status, content }`,
    begin: 'return context.platform.runs.start({ agentId: input.agentId, message: "Hello" })'
  })
  const { body } = await ask('functions.call', { name: 'answer', input: { agentId } })
  t.same(body.data, { status: 'completed', content: 'Tea is at four.' })
  const pack = platform.server.current().packs.get('ui-plugins')
  const { gateway } = Object(pack?.deps) as { gateway: Pick<UiPlugins, 'callFunction'> }
  const order = { depth: 1, runId }
  const { id } = (await gateway.callFunction(by, 'asks-agent', 'begin', { agentId }, order)) as { id: string }
  const row = await platform.knex('runs.run').where({ project: 'default', id }).first('request')
  t.match(row.request, { depth: 2, root: runId }, 'within the run that called the function')

  const strange = await ask('functions.call', { name: 'answer', input: { agentId } }, eve)
  t.match(strange, refuses(502, 'not_owner'), 'on behalf of who calls, who may not run that agent')
})

t.test('a credential for reading writes nothing by an app', async (t) => {
  const ask = await enabled('asks-narrowly', () => ({}))
  const scopes = ['ui-plugins:write', 'goals:read', 'tasks:read', 'knowledge:read', 'workflows:read']
  const reader = as('rita', { scopes })
  for (const { name } of catalogue) {
    const [area] = name.split('.')
    const isOpen = scopes.includes(`${area}:read`) && /\.(list|listDocuments|read|search)$/.test(name)
    const reply = await ask(name, { unheard: 1 }, reader)
    if (isOpen || name === 'models.list') t.match(reply, refuses(400), name)
    else t.match(reply, refuses(403, 'scope_missing'), name)
  }
})

t.test('bytes for apps are capped', async (t) => {
  const ask = await enabled('asks-bytes', () => ({}))
  const form = new FormData()
  form.append('file', new Blob(['a'.repeat(524_289)]), 'large.txt')
  const headers = { authorization: `Bearer ${await ada.key()}` }
  const reply = await fetch(`${booted.url}/v1/files/upload`, { method: 'POST', headers, body: form })
  const { data } = (await reply.json()) as { data: { id: string } }
  t.match(await ask('files.read', { fileId: data.id }), refuses(413))
  t.match(await ask('files.read', { fileId, as: 'base64' }), {
    body: { data: { base64: Buffer.from('Tea list\n').toString('base64') } }
  })
  const long = await made(`/v1/knowledge/${spaceId}/documents`, {
    title: 'Long',
    content: `${'a'.repeat(500_000)}b`
  })
  const read = async (offset: number) =>
    (await ask('knowledge.read', { spaceId, documentId: long.id, offset })).body.data
  t.match(await read(0), { content: /^a{500000}$/, nextOffset: 500_000 })
  t.match(await read(500_000), { content: 'b', nextOffset: null })
  t.match(await ask('files.store', { name: 'a' }), refuses(400, undefined, '/params'))
  t.match(
    await ask('files.store', { name: 'a', text: 'a'.repeat(524_289) }),
    refuses(400, undefined, '/params/text')
  )
})

t.test('a pack that goes takes its capabilities along', async (t) => {
  const ask = await enabled('asks-goals', () => ({}))
  t.equal((await admin.put('/v1/packs/goals', { enabled: false })).status, 200)
  const left: Offered[] = (await ada.get(`${path}/capabilities?limit=100`)).body.data
  t.same(
    left.map(({ name }) => name),
    catalogue.map(({ name }) => name).filter((name) => !name.startsWith('goals.'))
  )
  t.match(await ask('goals.list', {}), refuses(503, 'capability_missing'))
})
