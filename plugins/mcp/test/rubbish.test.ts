import t from 'tap'
import type { Answer } from './rubbish-fixture.ts'
import { pour, result, roughServer, stream } from './rubbish-fixture.ts'
import { kindOf, rubbishStage } from './rubbish-testbed.ts'
import { connect, direct, register } from './testbed.ts'
import { json } from './tool-server-fixture.ts'

const upstream = { status: 502, body: { error: { type: 'upstream_error' } } }

t.test('what a bad server does costs its own call', async (t) => {
  const { booted, ada, unharmed, tried, called } = await rubbishStage(t)

  t.test('one that cannot be reached, or is none', async (t) => {
    const { id } = await register(ada, { url: 'http://127.0.0.1:1/mcp' })
    const path = `/v1/mcp/servers/${id}`
    t.match(await ada.post(`${path}/connect`), upstream)
    t.match((await ada.get(`${path}/status`)).body.data, {
      status: 'error',
      statusReason: /127.0.0.1:1/,
      open: false
    })
    const page: Answer = (reply) => reply.end('<html>')
    t.match((await tried(t, { 'server/discover': page, initialize: page })).reply, upstream)
    const fails =
      (status: number): Answer =>
      (reply) =>
        json(reply, status, { secret: 'abc' })
    for (const status of [404, 500]) {
      const { path, reply } = await tried(t, { 'server/discover': fails(status), initialize: fails(status) })
      t.match(reply, upstream)
      t.notMatch(reply.text + (await ada.get(path)).text, /abc/, 'what it says is not shown')
    }
    const away: Answer = (reply) => json(reply, 307, {}, { location: 'http://127.0.0.1:1/' })
    t.match((await tried(t, { 'server/discover': away, initialize: away })).reply, upstream)
    const refuses: Answer = (reply) => json(reply, 401, {})
    const { path: shut, reply } = await tried(t, { 'server/discover': refuses, initialize: refuses })
    t.match(reply, { status: 200, body: { data: { status: 'unauthorized', statusReason: /credential/ } } })
    t.equal(reply.body.data.authorizationUrl, null)
    t.match((await ada.get(`${shut}/resources/read?uri=a:b`)).body.error, { code: 'server_unauthorized' })
    await unharmed(t)
  })

  t.test('one that hangs', async (t) => {
    const hang = () => undefined
    t.match(await tried(t, { 'server/discover': hang, initialize: hang }), {
      reply: { status: 504, body: { error: { type: 'upstream_timeout' } } }
    })
    t.match(await tried(t, { 'tools/list': hang }), { reply: { status: 504 } })
    const begun = performance.now()
    t.match(await kindOf(called(t, hang)), 'upstreamTimeout')
    t.match(await kindOf(called(t, (reply) => void stream(reply).write(': hello\n\n'))), 'upstreamTimeout')
    t.ok(performance.now() - begun < 60_000)
    await unharmed(t)
  })

  t.test('one that floods', async (t) => {
    let poured = 0
    const ways: Record<string, Answer> = {
      'a body': async (reply, { id }) => {
        reply
          .writeHead(200, { 'content-type': 'application/json' })
          .write(`{"jsonrpc":"2.0","id":${id},"result":"`)
        poured += await pour(reply, 'x'.repeat(65_536))
      },
      'an endless line': async (reply) => {
        stream(reply).write('data: ')
        poured += await pour(reply, 'x'.repeat(65_536))
      },
      'many messages': async (reply) => {
        const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } }
        stream(reply)
        poured += await pour(reply, `data: ${JSON.stringify(note)}\n\n`.repeat(100))
      },
      'what is no message': async (reply) => {
        stream(reply)
        poured += await pour(reply, 'data: rubbish\n\n'.repeat(1_000))
      }
    }
    for (const [way, answer] of Object.entries(ways))
      t.match(await kindOf(called(t, answer)), 'upstream', way)
    t.ok(poured < 100_000_000, `${poured} bytes and not 4 GB`)
    await unharmed(t)
  })

  t.test('one that floods between calls', async (t) => {
    let streams = 0
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { url } = await roughServer(t, {
      GET: async (reply) => {
        if (++streams > 1) return reply.writeHead(405).end()
        stream(reply).write('retry: 0\n\n')
        await begun
        await pour(reply, 'data: rubbish\n\n'.repeat(1_000))
      },
      'tools/call': (reply, message) => result(reply, message, { content: [{ type: 'text', text: 'still' }] })
    })
    const { tools, path } = await connect(ada, { url })
    begin()
    while ((await ada.get(`${path}/status`)).body.data.open)
      await new Promise((resolve) => setTimeout(resolve, 20))
    t.equal(streams, 1, 'is left')
    t.match(await direct(booted, tools)('go'), { output: 'still' })
    await unharmed(t)
  })
})
