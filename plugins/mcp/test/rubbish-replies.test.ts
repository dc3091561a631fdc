// budget: 8 s, because each kind of rubbish comes from a server of its own
import t from 'tap'
import type { Answer } from './rubbish-fixture.ts'
import { result, stream, tool } from './rubbish-fixture.ts'
import { kindOf, rubbishStage } from './rubbish-testbed.ts'
import { json } from './tool-server-fixture.ts'

t.test('what a bad server says costs its own call', async (t) => {
  const { ada, unharmed, tried, called } = await rubbishStage(t)

  t.test('one that answers with rubbish', async (t) => {
    const answers: Record<string, Answer> = {
      'no result': (reply, message) => result(reply, message, { content: 'text' }),
      'no JSON': (reply) => reply.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'),
      'a page': (reply) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      'nothing at all': (reply) => reply.destroy(),
      'an end without an answer': (reply) => stream(reply).end(': bye\n\n'),
      'an answer to something else': (reply) =>
        stream(reply).end('data: {"jsonrpc":"2.0","id":999,"result":{}}\n\n')
    }
    for (const [what, answer] of Object.entries(answers))
      t.match(await kindOf(called(t, answer)), /^upstream/, what)
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const nested: Answer = (reply, { id }) =>
      reply
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"a":${deep}}}}`)
    const found = await called(t, nested).catch((error) => ({ isError: true, output: error.kind }))
    t.match(found, { isError: true, output: /too deep|upstream/ })
    const error: Answer = (reply, { id }) =>
      json(reply, 200, { jsonrpc: '2.0', id, error: { code: -32_000, message: 'no\u001b[2J\nway' } })
    t.match(await called(t, error), { isError: true, output: /refuses: no \[2J way$/ })
    await unharmed(t)
  })

  t.test('one that lies about its schema', async (t) => {
    const gives: Answer = (reply, message) =>
      result(reply, message, { content: [], structuredContent: { n: 'one', s: 'a'.repeat(40) } })
    const wants = (schema: object) => called(t, gives, { outputSchema: { type: 'object', ...schema } })
    t.match(await wants({ properties: { n: { type: 'integer' } } }), {
      isError: true,
      output: /does not match/
    })
    t.match(await wants({ required: ['m'] }), { isError: true })
    t.match(await wants({ properties: { n: { type: 'intger' } } }), {
      isError: true,
      output: /outputSchema.* no valid JSON Schema/
    })
    t.match(await wants({ properties: { s: { pattern: '^(a|a)*$x' } } }), { isError: true })
    t.match(await wants({ properties: { s: { pattern: '^(a+)+b$' } } }), {
      isError: true,
      output: /in time|too much/
    })
    const $defs: Record<string, object> = { d40: { type: 'object' } }
    for (let i = 0; i < 40; i++)
      $defs[`d${i}`] = { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] }
    t.match(await wants({ $defs, $ref: '#/$defs/d0' }), { isError: true, output: /in time|too much/ })
    t.match(await wants({ properties: { s: { type: 'string' } } }), { output: { n: 'one' } })
    await unharmed(t)
  })

  t.test('one with lists that are too long, or have no end', async (t) => {
    const many: Answer = (reply, message) => {
      const from = Number(message.params?.cursor ?? 0)
      const tools = Array.from({ length: 100 }, (_, i) => tool(`t${from + i}`))
      return result(reply, message, { tools, nextCursor: String(from + 100) })
    }
    const { path, reply } = await tried(t, { 'tools/list': many })
    t.equal(reply.status, 200)
    t.match((await ada.get(`${path}/status`)).body.data, { tools: 512 })
    t.match((await ada.post(`${path}/sync`)).body.data, {
      tools: 512,
      changed: 0,
      refused: [/more than 512/]
    })

    const circle: Answer = (reply, message) => result(reply, message, { tools: [], nextCursor: 'again' })
    t.match((await tried(t, { 'tools/list': circle })).reply, {
      status: 502,
      body: { error: { message: /circle/ } }
    })

    const odd = [
      tool('fine'),
      tool('fine'),
      tool(''),
      tool('new\nline'),
      tool('n\u0000l', {}),
      tool('half', { description: '\ud800' }),
      tool('huge', { inputSchema: { type: 'object', title: 'x'.repeat(62_000), x: 'y'.repeat(4_000) } }),
      tool('deep', { inputSchema: { type: 'object', x: JSON.parse('['.repeat(60) + ']'.repeat(60)) } }),
      tool('no schema', { inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } })
    ]
    const some: Answer = (reply, message) => result(reply, message, { tools: odd })
    const { path: oddly } = await tried(t, { 'tools/list': some })
    const listed = (await ada.get(`${oddly}/tools`)).body.data.map(
      ({ originalName }: { originalName: string }) => originalName
    )
    t.same(listed.sort(), ['fine', 'no schema'])
    t.match((await ada.post(`${oddly}/sync`)).body.data, { refused: { length: 7 } })
    const names = (await ada.get('/v1/tools?kind=mcp&limit=100')).body.data
    t.match(
      names.find(({ name }: { name: string }) => /no_schema/.test(name)),
      { unavailable: /no valid JSON Schema/ }
    )
    await unharmed(t)
  })
})
