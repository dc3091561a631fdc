import type { ServerResponse } from 'node:http'
import { acceptedContent, inputRequired } from '@modelcontextprotocol/server'
import t from 'tap'
import type { Question } from '../../tools/contract.ts'
import { connect, direct, stage } from './testbed.ts'
import type { Build, Seen } from './tool-server-fixture.ts'
import { echo, schemaOf, toolServer } from './tool-server-fixture.ts'

const form = {
  message: 'Who\u0007 are\nyou?',
  requestedSchema: {
    type: 'object' as const,
    properties: { name: { type: 'string' as const }, age: { type: 'integer' as const, default: 30 } },
    required: ['name']
  }
}
const said = (text: string) => ({ content: [{ type: 'text' as const, text }] })

/** Asks who is there, in the way of its protocol. */
const asking: Build = (server, era) => {
  server.registerTool('who', { description: 'Asks', inputSchema: schemaOf({}) }, async (_, { mcpReq }) => {
    if (era === 'legacy') {
      const params = { mode: 'form', ...form }
      const { action, content } = await mcpReq.send({ method: 'elicitation/create', params })
      return said(`${action} ${JSON.stringify(content)}`)
    }
    if (!mcpReq.inputResponses) return inputRequired({ inputRequests: { who: inputRequired.elicit(form) } })
    const content = acceptedContent(mcpReq.inputResponses, 'who')
    return said(`${content ? 'accept' : 'decline'} ${JSON.stringify(content)}`)
  })
}

t.test('calls', async (t) => {
  const booted = await stage(t, { env: { MCP_CALL_SECONDS: '3', MCP_SAMPLING: 'true' } })
  const ada = booted.as('ada')
  const made = async (
    t: Parameters<typeof toolServer>[0],
    era: 'legacy' | 'modern',
    build: Build,
    options?: Parameters<typeof toolServer>[3]
  ) => {
    const server = await toolServer(t, era, build, options)
    const connected = await connect(ada, { url: server.url })
    return { ...connected, server, call: direct(booted, connected.tools) }
  }

  for (const era of ['legacy', 'modern'] as const) {
    t.test(`what a server of the ${era} protocol asks is asked of who follows the call`, async (t) => {
      const { call, server } = await made(t, era, asking)
      const questions: Question[] = []
      const ask = async (question: Question) => {
        questions.push(question)
        return { action: 'accept' as const, content: { name: 'Ada' } }
      }
      t.match(await call('who', {}, { ask }), { output: /^accept .*"name":"Ada"/ })
      t.match(await call('who', {}, { ask }), { output: /"age":30/ }, 'what was left out has its default')
      questions.pop()
      t.match(questions, [
        { message: /: Who are you\?$/, schema: { properties: { name: { type: 'string' } } } }
      ])
      t.match(questions[0]?.message, /^s\d+ asks: /, 'it is told who asks')
      t.match(await call('who'), { output: /^decline/ })

      const slow = async () => {
        await new Promise((resolve) => setTimeout(resolve, 3_300))
        return { action: 'accept' as const, content: { name: 'Late' } }
      }
      t.match(await call('who', {}, { ask: slow }), { output: /Late/ }, 'people may take longer than servers')

      const both = await Promise.all(
        ['Ada', 'Bob'].map((name) =>
          call('who', {}, { ask: async () => ({ action: 'accept' as const, content: { name } }) })
        )
      )
      t.match(both, [{ output: /Ada/ }, { output: /Bob/ }], 'each is asked for its own call')
      t.ok(server.seen.length > 0)
    })

    t.test(`progress and logs of the ${era} protocol reach the call`, async (t) => {
      const { call } = await made(t, era, (server) => {
        server.registerTool(
          'work',
          { description: 'Works', inputSchema: schemaOf({}) },
          async (_, { mcpReq }) => {
            const progressToken = mcpReq._meta?.progressToken as string | number
            for (const progress of [1, 2])
              await mcpReq.notify({
                method: 'notifications/progress',
                params: {
                  progressToken,
                  progress,
                  total: 2,
                  ...(progress === 2 && { message: 'half\u001b[31m done' })
                }
              })
            if (era === 'legacy') await mcpReq.log('info', { at: 'the end' })
            return said('done')
          }
        )
      })
      const told: string[] = []
      t.match(await call('work', {}, { progress: (text) => void told.push(text) }), { output: 'done' })
      t.same(told.slice(0, 2), ['1 of 2\n', 'half [31m done\n'])
      if (era === 'legacy') t.same(told.slice(2), ['[info] {"at":"the end"}\n'])
    })

    t.test(`a call that is given up is cancelled at a server of the ${era} protocol`, async (t) => {
      const { promise: cancelled, resolve: cancel } = Promise.withResolvers<boolean>()
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
      const { call } = await made(t, era, (server) => {
        server.registerTool(
          'wait',
          { description: 'Waits', inputSchema: schemaOf({}) },
          async (_, { mcpReq }) => {
            begin()
            await new Promise<void>((resolve) => mcpReq.signal.addEventListener('abort', () => resolve()))
            cancel(mcpReq.signal.aborted)
            return said('never')
          }
        )
      })
      const stop = new AbortController()
      const calling = call('wait', {}, { signal: stop.signal })
      await begun
      stop.abort(new Error('given up'))
      await t.rejects(calling, { message: 'given up' })
      t.equal(await cancelled, true, 'the server knows')
      await t.rejects(call('wait'), { kind: 'upstreamTimeout', message: /within 3 s/ })
    })

    t.test(`a server of the ${era} protocol asks the model`, async (t) => {
      const { call } = await made(t, era, (server) => {
        const messages = [
          { role: 'user' as const, content: { type: 'text' as const, text: '/say forty two' } }
        ]
        server.registerTool(
          'think',
          { description: 'Thinks', inputSchema: schemaOf({}) },
          async (_, { mcpReq }) => {
            const params = { messages, maxTokens: 50 }
            if (era === 'legacy') {
              const { content } = await mcpReq.requestSampling(params)
              return said(JSON.stringify(content))
            }
            if (!mcpReq.inputResponses)
              return inputRequired({ inputRequests: { model: inputRequired.createMessage(params) } })
            return said(JSON.stringify(mcpReq.inputResponses.model))
          }
        )
      })
      t.match(await call('think'), { output: /forty two/ })
    })
  }

  t.test('a question that could be of several calls reaches no caller of another run', async (t) => {
    let met = Promise.withResolvers<void>()
    let awaited = 0
    const { call } = await made(t, 'legacy', (server) => {
      server.registerTool(
        'who',
        { description: 'Asks', inputSchema: schemaOf({}) },
        async (_, { mcpReq }) => {
          if (--awaited === 0) met.resolve()
          await met.promise
          const { action } = await mcpReq.elicitInput({ mode: 'form', ...form })
          return said(action)
        }
      )
    })
    const both = (runs: readonly string[]) => {
      met = Promise.withResolvers<void>()
      awaited = runs.length
      return Promise.all(
        runs.map((id) =>
          call(
            'who',
            {},
            { run: { id, sessionId: 's' }, ask: async () => ({ action: 'accept', content: { name: id } }) }
          )
        )
      )
    }
    t.match(await both(['a']), [{ output: 'accept' }])
    t.match(await both(['a', 'b']), [{ output: 'cancel' }, { output: 'cancel' }])
    t.match(await both(['a', 'a']), [{ output: 'accept' }, { output: 'accept' }], 'of one run they are one')
  })

  t.test('output is text, what is structured, or what it is', async (t) => {
    const data = Buffer.from('bytes').toString('base64')
    const { call } = await made(t, 'legacy', (server) => {
      const tool = (name: string, result: object, outputSchema?: object) =>
        server.registerTool(
          name,
          {
            description: name,
            inputSchema: schemaOf({}),
            ...(outputSchema && { outputSchema: schemaOf(outputSchema) })
          },
          async () => result as never
        )
      tool('texts', {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' }
        ]
      })
      tool('image', {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', mimeType: 'image/png', data }
        ]
      })
      tool('shape', { content: [], structuredContent: { n: 1 } }, { n: { type: 'integer' } })
      tool('mirrored', { content: [{ type: 'text', text: '{ "n": 1 }' }], structuredContent: { n: 1 } })
      tool('wrapped', {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: '{"b":2}' }
        ],
        structuredContent: { result: ['a', { b: 2 }] }
      })
      tool('warns', {
        content: [{ type: 'text', text: 'WARNING: 2 are locked' }],
        structuredContent: { removed: 3 }
      })
      tool('drawn', {
        content: [
          { type: 'text', text: '{"n":1}' },
          { type: 'image', mimeType: 'image/png', data },
          { type: 'resource_link', uri: 'file:///a', name: 'a' }
        ],
        structuredContent: { n: 1 }
      })
      tool('fails', { content: [{ type: 'text', text: 'no such city' }], isError: true })
    })
    t.same(await call('texts'), { output: 'a\nb' })
    t.same(await call('image'), {
      output: {
        content: [
          { type: 'text', text: 'a' },
          { type: 'image', mimeType: 'image/png', bytes: 5 }
        ]
      }
    })
    t.same(await call('shape'), { output: { n: 1 } })
    t.same(await call('mirrored'), { output: { n: 1 } }, 'text that only repeats it is left out')
    t.same(await call('wrapped'), { output: { result: ['a', { b: 2 }] } })
    t.same(await call('warns'), {
      output: {
        structuredContent: { removed: 3 },
        content: [{ type: 'text', text: 'WARNING: 2 are locked' }]
      }
    })
    t.same(await call('drawn'), {
      output: {
        structuredContent: { n: 1 },
        content: [
          { type: 'image', mimeType: 'image/png', bytes: 5 },
          { type: 'resource_link', uri: 'file:///a', name: 'a' }
        ]
      }
    })
    t.same(await call('fails'), { output: 'no such city', isError: true })
  })

  t.test('a session that the server forgot is begun again', async (t) => {
    const { call, server } = await made(t, 'legacy', echo)
    server.forget()
    t.match(await call('echo', { message: 'hi' }), { output: 'Echo: hi' })
    t.equal(server.sessions.size, 1)
  })

  for (const unknownSession of [400, 410])
    t.test(`reopens a session that ends with ${unknownSession}`, async (t) => {
      const { call, server, path } = await made(t, 'legacy', echo, { unknownSession })
      for (const again of [
        async () => t.match(await call('echo', { message: 'hi' }), { output: 'Echo: hi' }),
        async () => t.match(await ada.post(`${path}/connect`), { status: 200 }),
        async () => t.match(await ada.post(`${path}/sync`, {}), { status: 200 })
      ]) {
        server.forget()
        await again()
        t.equal(server.sessions.size, 1)
      }
    })

  t.test('fails a request that a new session rejects too, after one retry', async (t) => {
    let rejects = false
    const admit = ({ body }: Seen, reply: ServerResponse) => {
      if (!rejects || !body.includes('tools/call')) return true
      reply.writeHead(400).end('bad arguments')
      return false
    }
    const { call, server } = await made(t, 'legacy', echo, { admit })
    rejects = true
    t.equal(await call('echo', { message: 'hi' }).catch(({ kind }) => kind), 'upstream')
    t.equal(server.seen.filter(({ body }) => body.includes('tools/call')).length, 2)
    rejects = false
    t.match(await call('echo', { message: 'hi' }), { output: 'Echo: hi' })
  })

  t.test('connections outlive a reload', async (t) => {
    const { call, server } = await made(t, 'legacy', echo)
    const before = server.seen.length
    for (const pack of ['models', 'mcp']) {
      const generation = booted.platform.server.current().id
      t.match(await booted.admin.post(`/v1/packs/${pack}/reload`), { status: 200 })
      t.not(booted.platform.server.current().id, generation)
    }
    t.match(await call('echo', { message: 'hi' }), { output: 'Echo: hi' })
    t.notOk(server.seen.slice(before).some(({ body }) => body.includes('"initialize"')))
  })
})

t.test('unless a deployment wants it, no server asks the model', async (t) => {
  const booted = await stage(t)
  const { url, seen } = await toolServer(t, 'legacy', echo)
  await connect(booted.as('ada'), { url })
  const first = seen
    .map(({ body }) => (body ? JSON.parse(body) : {}))
    .find(({ method }) => method === 'initialize')
  t.same(Object.keys(first.params.capabilities), ['elicitation'])
})
