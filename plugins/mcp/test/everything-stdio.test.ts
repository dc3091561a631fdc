import { fileURLToPath } from 'node:url'
import t from 'tap'
import { caller, connect, direct, stage } from './testbed.ts'

const entry = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))

t.test('the reference server by stdio', async (t) => {
  const commands = { everything: [process.execPath, entry, 'stdio'] }
  const booted = await stage(t, {
    env: { MCP_COMMANDS: JSON.stringify(commands), MCP_CALL_SECONDS: '20', MCP_CONNECT_SECONDS: '30' }
  })
  const ada = booted.as('ada')
  const { path, tools } = await connect(ada, {
    name: 'everything',
    transport: 'stdio',
    command: 'everything'
  })
  const call = direct(booted, tools)

  t.test('is what it says', async (t) => {
    t.match((await ada.get(`${path}/status`)).body.data, {
      status: 'connected',
      server: { name: /everything/ },
      tools: tools.length,
      pending: 0
    })
    const names = tools.map(({ originalName }) => originalName)
    for (const name of ['echo', 'get-sum', 'get-structured-content', 'trigger-elicitation-request'])
      t.ok(names.includes(name), name)
    t.notOk(names.includes('trigger-sampling-request'), 'which it has where the model may be asked')
    t.notOk(names.includes('get-roots-list'))
  })

  t.test('its tools are called', async (t) => {
    const byAgent = await caller(
      ada,
      tools.filter(({ originalName }) => originalName === 'get-sum')
    )
    t.match((await byAgent('get-sum', { a: 2, b: 3 })).body.data, { isError: false, output: /5/ })
    t.match(await byAgent('get-sum', { a: 'two', b: 3 }), {
      status: 400,
      body: { error: { param: '/args' } }
    })
    t.match(await call('get-structured-content', { location: 'New York' }), {
      output: { temperature: Number }
    })
    t.match(await call('get-tiny-image'), { output: { content: [{}, { type: 'image', bytes: Number }, {}] } })
    const progress: string[] = []
    const told = await call(
      'trigger-long-running-operation',
      { duration: 0.2, steps: 2 },
      { progress: (text) => void progress.push(text) }
    )
    t.match(told, { output: /completed/ })
    t.same(progress, ['1 of 2\n', '2 of 2\n'])
    const answer = async () => ({ action: 'accept' as const, content: { name: 'Ada Lovelace', check: true } })
    t.match(JSON.stringify(await call('trigger-elicitation-request', {}, { ask: answer })), /Ada Lovelace/)
  })

  t.test('its resources and prompts are read', async (t) => {
    const { data } = (await ada.get(`${path}/resources?limit=100`)).body
    const resource = data.find(({ type }: { type: string }) => type === 'resource')
    t.ok(data.some(({ type }: { type: string }) => type === 'template'))
    t.match(
      (await ada.get(`${path}/resources/read?uri=${encodeURIComponent(resource.uri)}`)).body.data.contents,
      [{ uri: resource.uri, text: String }]
    )
    t.match(await ada.post(`${path}/prompts/simple-prompt`), {
      status: 200,
      body: { data: { messages: [{ role: 'user', content: { type: 'text' } }] } }
    })
    t.match(await ada.post(`${path}/prompts/args-prompt`, { arguments: { city: 'Oslo' } }), {
      body: { data: { messages: [{ content: { text: /Oslo/ } }] } }
    })
  })
})
