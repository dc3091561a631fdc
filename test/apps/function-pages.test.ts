import t from 'tap'
import { connect, send } from '../../plugins/mcp-server/test/testbed.ts'
import { stage } from './functions.ts'

const { booted, install, agentWith, ada, eve } = await stage(t, ['mcp-server'])

const input = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
const output = { type: 'object', properties: { twice: { type: 'integer' } } }
const uri = 'ui://page-app/main'
await install(
  ada,
  'page-app',
  { twice: 'return { twice: input.n * 2 }', plain: 'return context.about', fail: 'throw new Error("No")' },
  { twice: { title: 'Twice', input, output, page: 'main', idempotent: true } }
)
const meta = { ui: { resourceUri: uri } }

for (const era of ['sessions', 'stateless'] as const)
  t.test(`functions and pages are served: ${era}`, async (t) => {
    const mcp = await connect(t, booted, ada, era)
    const { tools } = await mcp.listTools()
    t.match(
      tools.find(({ name }) => name === 'page-app__twice'),
      { title: 'Twice', inputSchema: input, outputSchema: output, _meta: meta }
    )
    t.notOk(tools.find(({ name }) => name === 'page-app__plain')?._meta)
    t.match(await mcp.callTool({ name: 'page-app__twice', arguments: { n: 4 } }), {
      structuredContent: { twice: 8 }
    })
    t.match(await mcp.callTool({ name: 'page-app__plain', arguments: {} }), {
      structuredContent: { callerId: 'ada' }
    })
    for (const [name, args, why] of [
      ['page-app__twice', { n: 'x' }, /n/],
      ['page-app__fail', {}, /^No$/]
    ] as const)
      t.match(await mcp.callTool({ name, arguments: args }), { isError: true, content: [{ text: why }] })

    const { resources } = await mcp.listResources()
    const csp = { connectDomains: [], resourceDomains: [] }
    const mimeType = 'text/html;profile=mcp-app'
    t.match(resources, [{ uri, name: 'page-app/main', mimeType, _meta: { ui: { csp } } }])
    const { contents } = await mcp.readResource({ uri })
    t.match(contents, [{ uri, mimeType, _meta: { ui: { csp } } }])
    const [page] = contents as { text: string }[]
    t.match(page?.text, /^<!doctype html>.*Content-Security-Policy.*<title>Weather<\/title><p>Sunny/s)
    for (const other of ['ui://page-app/none', 'ui://none-app/main', 'file:///etc/passwd'])
      await t.rejects(mcp.readResource({ uri: other }), { message: /not found/i }, other)
    await t.rejects(mcp.request({ method: 'resources/list', params: { cursor: 'made-up' } }), {
      code: -32602
    })
  })

t.test('with an agent those that it has are served, and their pages', async (t) => {
  const agent = await agentWith(ada, 'page-app__twice')
  const mcp = await connect(t, booted, ada, 'stateless', `?agentId=${agent.id}`)
  const { tools } = await mcp.listTools()
  t.match(
    tools.find(({ name }) => name === 'page-app__twice'),
    { _meta: meta }
  )
  t.notOk(tools.some(({ name }) => name === 'page-app__plain'))
  t.match(await mcp.callTool({ name: 'page-app__twice', arguments: { n: 3 } }), {
    structuredContent: { twice: 6 }
  })
  await t.rejects(mcp.callTool({ name: 'page-app__plain', arguments: {} }), { code: -32602 })
})

t.test('a function that a run calls by the protocol lies as deep as the run', async (t) => {
  const agent = await agentWith(ada)
  const { body } = await ada.post('/v1/agents/run', {
    agentId: agent.id,
    messages: [{ role: 'user', content: '/say Hello' }]
  })
  const mcp = await connect(t, booted, ada, 'stateless')
  const _meta = { 'agent-platform/runId': body.data.id }
  const call = () => mcp.callTool({ name: 'page-app__plain', arguments: {}, _meta })
  t.match(await call(), { structuredContent: { callerId: 'ada', runId: body.data.id } })
  await booted.platform
    .knex('runs.run')
    .where({ id: body.data.id })
    .update({ request: booted.platform.knex.raw(`request || '{"depth": 100}'`) })
  t.match(await call(), { isError: true, structuredContent: { error: { code: 'too_deep' } } })
})

t.test('apps of others, and those that are off, are not served', async (t) => {
  const hers = await connect(t, booted, eve, 'stateless')
  t.notOk((await hers.listTools()).tools.some(({ name }) => name.startsWith('page-app')))
  await t.rejects(hers.callTool({ name: 'page-app__twice', arguments: { n: 1 } }), { code: -32602 })
  t.same((await hers.listResources()).resources, [])
  await t.rejects(hers.readResource({ uri }), { message: /do not have access/ })

  const narrow = booted.as('ada', { scopes: ['mcp:write'] })
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'page-app__twice', arguments: { n: 1 } }
  }
  t.match((await send(narrow, call)).message, {
    result: { isError: true, content: [{ text: /ui-plugins:write/ }] }
  })

  t.match(await ada.put('/v1/ui-plugins/page-app/status', { status: 'off' }), { status: 200 })
  const mcp = await connect(t, booted, ada, 'stateless')
  t.match(await mcp.callTool({ name: 'page-app__twice', arguments: { n: 1 } }), { isError: true })
  await booted.settled()
  t.notOk((await mcp.listTools()).tools.some(({ name }) => name.startsWith('page-app')))
  t.same((await mcp.listResources()).resources, [])
})

t.test('all of many are listed, page by page', async (t) => {
  const names = Array.from({ length: 25 }, (_, n) => `f${n}`)
  const functions = Object.fromEntries(names.map((name) => [name, 'return 1']))
  const bob = booted.as('bob')
  for (let app = 0; app < 5; app++) await install(bob, `many-${app}`, functions)
  const agent = await bob.agent({ modelProvider: 'local' })
  const mcp = await connect(t, booted, bob, 'stateless')
  const first = await mcp.request({ method: 'tools/list', params: {} })
  t.equal(first.tools.length, 100)
  const second = await mcp.request({ method: 'tools/list', params: { cursor: first.nextCursor } })
  t.equal(second.tools.length, 26)
  t.ok(second.tools.some(({ name }) => name.endsWith(agent.id.slice(6))))
  t.equal(new Set([...first.tools, ...second.tools].map(({ name }) => name)).size, 126)
})
