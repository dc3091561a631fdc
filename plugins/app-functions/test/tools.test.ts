import t from 'tap'
import { boot } from '../../../test/boot.ts'
import { until } from '../../../test/packs/stage.ts'

const booted = await boot(t, 'app-functions', 'sandbox', 'models', 'packs', {
  env: { SANDBOX_PROCESSES: '2' }
})
const ada = booted.as('ada')

/** Registers and enables an app whose functions are tools, by their code. */
async function install(id: string, functions: Readonly<Record<string, string>>, version = '1.0.0') {
  const lines = Object.entries(functions).map(([name, body]) => `async ${name}(input, context) { ${body} }`)
  const manifest = {
    manifestVersion: 1,
    id,
    name: id,
    version,
    description: 'To be tested',
    server: { entry: 'server.js' },
    capabilities: [],
    egress: [],
    connections: [],
    functions: Object.keys(functions).map((name) => {
      return { name, description: `Does ${name}`, input: { type: 'object' }, tool: true }
    }),
    pages: []
  }
  const files = { 'server.js': { text: `export const functions = { ${lines.join(', ')} }` } }
  for (const [path, body] of [
    ['', { manifest, files }],
    [`/${id}/status`, { status: 'enabled' }]
  ] as const) {
    const { status, text } = await ada.put(`/v1/ui-plugins${path}`, body)
    if (status >= 300) throw new Error(text)
  }
  await booted.settled()
}

/** The tools of apps, by name. */
async function toolsOf() {
  const { body } = await ada.get('/v1/tools?kind=app&limit=100')
  return new Map((body.data as { id: string; name: string }[]).map((tool) => [tool.name, tool]))
}

t.test('the list of tools is as the apps are', async (t) => {
  const functions = { one: 'return 1', two: 'return 2' }
  const put = async (body: object) => {
    const reply = await ada.put('/v1/ui-plugins/moving-app/status', body)
    await booted.settled()
    return reply
  }
  await install('moving-app', functions)
  const first = (await toolsOf()).get('moving-app__one')
  const agent = await ada.agent({ modelProvider: 'local' })
  for (const toolId of ['moving-app__one', 'moving-app__two'])
    t.match(await ada.post(`/v1/agents/${agent.id}/tools`, { toolId }), { status: 201 })
  t.match(first, { version: 1, available: true })

  await put({ status: 'off' })
  t.match((await toolsOf()).get('moving-app__one'), {
    id: first?.id,
    version: 2,
    available: false,
    unavailable: 'Its app is turned off'
  })
  const call = { agentId: agent.id, toolName: 'moving-app__one', args: {} }
  t.match(await ada.post('/v1/agents/tools', call), {
    status: 409,
    body: { error: { code: 'tool_unavailable' } }
  })
  await put({ status: 'enabled' })
  t.match((await toolsOf()).get('moving-app__one'), { id: first?.id, version: 3, available: true })
  t.match(await ada.post('/v1/agents/tools', call), { body: { data: { output: 1 } } })

  await install('moving-app', { one: 'return 1.5' }, '2.0.0')
  const after = await toolsOf()
  t.match(after.get('moving-app__one'), { version: 3 }, 'what is declared as before is no other version')
  t.match(after.get('moving-app__two'), { unavailable: 'Its app does not have it any more' })
  t.match(await ada.post('/v1/agents/tools', call), { body: { data: { output: 1.5 } } })

  t.match(await ada.delete('/v1/ui-plugins/moving-app'), { status: 200 })
  await booted.settled()
  t.notOk((await toolsOf()).has('moving-app__one'))
  t.same((await ada.get(`/v1/agents/${agent.id}/tools`)).body.data, [])
})

t.test('apps that were enabled while the pack was off have their tools once it is on', async (t) => {
  const turn = async (enabled: boolean) =>
    t.match(await booted.admin.put('/v1/packs/app-functions', { enabled }), { status: 200 })
  const appears = (name: string) => until(toolsOf, (tools) => tools.has(name))
  await install('known-app', { one: 'return 1' })
  const known = (await toolsOf()).get('known-app__one')
  await turn(false)
  await install('later-app', { two: 'return 2' })
  await turn(true)
  await appears('later-app__two')
  // As if the pack had never been on: no facts wait for it, and nothing is known of these apps.
  await turn(false)
  await install('early-app', { three: 'return 3' })
  await booted.platform.knex('kernel.fact_cursor').where({ pack: 'app-functions' }).delete()
  await turn(true)
  const after = await appears('early-app__three')
  t.match(after.get('known-app__one'), known, 'what did not change is as it was')
  const agent = await ada.agent({ modelProvider: 'local' })
  t.match(await ada.post(`/v1/agents/${agent.id}/tools`, { toolId: 'early-app__three' }), { status: 201 })
  const call = { agentId: agent.id, toolName: 'early-app__three', args: {} }
  t.match(await ada.post('/v1/agents/tools', call), { body: { data: { output: 3 } } })
})

t.test('a name that is taken, or too long, is made another one', async (t) => {
  const config = { method: 'GET', url: 'https://api.example.com/' }
  const taken = { name: 'name-app__go', description: 'Another', config }
  t.match(await ada.post('/v1/tools', taken), { status: 201 })
  const long = `a${'b'.repeat(47)}`
  await install('name-app', { go: 'return 1' })
  await install(long, { [`${long}`]: 'return 2', [`${long.slice(0, 47)}c`]: 'return 3' })
  const names = [...(await toolsOf()).keys()]
  t.equal(names.filter((name) => /^name-app__go_[0-9a-f]{8}$/.test(name)).length, 1)
  t.equal(names.filter((name) => name.startsWith(long) && name.length === 64).length, 2)
})
