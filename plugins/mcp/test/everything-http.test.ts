import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { connect, direct, stage } from './testbed.ts'

const entry = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** The reference server behind a port of its own. */
async function everything(
  t: { teardown(work: () => unknown): unknown },
  transport: 'streamableHttp' | 'sse'
) {
  const port = await freePort()
  const child = spawn(process.execPath, [entry, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore'
  })
  t.teardown(async () => {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(url).catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 50))
  return `${url}/${transport === 'sse' ? 'sse' : 'mcp'}`
}

t.test('the reference server by HTTP', async (t) => {
  const booted = await stage(t, { env: { MCP_CALL_SECONDS: '20', MCP_CONNECT_SECONDS: '30' } })
  const ada = booted.as('ada')

  for (const [transport, way] of [
    ['http', 'streamableHttp'],
    ['sse', 'sse']
  ] as const)
    t.test(`over ${way}`, async (t) => {
      const url = await everything(t, way)
      const { path, tools } = await connect(ada, { name: `everything ${transport}`, transport, url })
      const call = direct(booted, tools)
      t.match((await ada.get(`${path}/status`)).body.data, { status: 'connected', tools: tools.length })
      t.match(await call('echo', { message: 'hi' }), { output: 'Echo: hi' })
      t.match(await call('get-structured-content', { location: 'Chicago' }), {
        output: { temperature: Number }
      })
      const progress: string[] = []
      const told = await call(
        'trigger-long-running-operation',
        { duration: 0.2, steps: 2 },
        { progress: (text) => void progress.push(text) }
      )
      t.match(told, { output: /completed/ })
      t.equal(progress[0], '1 of 2\n')
      const answer = async () => ({
        action: 'accept' as const,
        content: { name: 'Ada Lovelace', check: true }
      })
      t.match(JSON.stringify(await call('trigger-elicitation-request', {}, { ask: answer })), /Ada Lovelace/)
      const many = await Promise.all(Array.from({ length: 10 }, (_, i) => call('echo', { message: `m${i}` })))
      t.same(
        many.map(({ output }) => output),
        Array.from({ length: 10 }, (_, i) => `Echo: m${i}`)
      )
      t.match(await ada.post(`${path}/sync`), { status: 200, body: { data: { changed: 0, added: 0 } } })
      t.match(await ada.post(`${path}/prompts/simple-prompt`), { status: 200 })
      t.match(await ada.post(`${path}/disconnect`), { status: 200 })
    })
})
