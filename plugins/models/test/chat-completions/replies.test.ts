import t from 'tap'
import { call, chunk, event, events, joined, numbered, readAll, replying, testbed, text } from './testbed.ts'

t.test('text comes as parts, with usage and the reason of its end', async (t) => {
  const { model } = await testbed(t)
  const { stream, response, request } = await model('mock?numbered=1&tokens=3&cached=1').doStream(call())
  const parts = joined(await readAll(stream))
  t.match(parts, [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: /^chatcmpl-/, modelId: /^mock/, timestamp: Date },
    { type: 'text-start', id: 'text-0' },
    { type: 'text-delta', id: 'text-0', delta: 't0 t1 t2 ' },
    { type: 'text-end', id: 'text-0' },
    {
      type: 'finish',
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: 3, noCache: 2, cacheRead: 1, cacheWrite: undefined },
        outputTokens: { total: 3, text: 3, reasoning: 0 },
        raw: { total_tokens: 6 }
      }
    }
  ])
  t.equal(parts.length, 6)
  t.match(response?.headers, { 'content-type': /event-stream/ })
  t.match(request?.url, /\/v1\/chat\/completions$/)
})

t.test('all text of one read of the socket is one delta', async (t) => {
  const tokens = Array.from({ length: 50 }, (_, i) => event(chunk({ content: `t${i} ` })))
  let isRead = Promise.withResolvers<void>()
  const { model } = await testbed(t, {
    async respond({ body }, response) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      await isRead.promise
      response.socket?.cork()
      if (body.model === 'one write') response.write(tokens.join(''))
      else for (const token of tokens) response.write(token)
      response.end(events(chunk({}, 'stop')))
      response.socket?.uncork()
    }
  })
  for (const name of ['one write', 'a chunk of http a token']) {
    isRead = Promise.withResolvers()
    const { stream } = await model(name).doStream(call())
    const reading = readAll(stream)
    // What is said now meets a reader that waits.
    setImmediate(isRead.resolve)
    t.same(
      (await reading).filter(({ type }) => type === 'text-delta'),
      [{ type: 'text-delta', id: 'text-0', delta: numbered(50) }],
      name
    )
  }
})

t.test('text that nobody reads yet becomes one delta', async (t) => {
  const finished = Promise.withResolvers<number>()
  const { model, sockets } = await testbed(t, {
    respond(_request, response) {
      const { socket } = response
      response.once('finish', () => finished.resolve(socket?.bytesWritten ?? 0))
    }
  })
  const { stream } = await model('mock?numbered=1&tokens=300&delay=1').doStream(call())
  while ((sockets[0]?.bytesRead ?? 0) < (await finished.promise)) await new Promise(setImmediate)
  const deltas = (await readAll(stream)).filter((part) => part.type === 'text-delta')
  t.same(deltas, [{ type: 'text-delta', id: 'text-0', delta: numbered(300) }])
})

t.test('reasoning has blocks of its own', async (t) => {
  for (const field of ['reasoning_content', 'reasoning']) {
    const model = await replying(
      t,
      events(
        chunk({ role: 'assistant', content: '', [field]: 'Let ' }),
        chunk({ [field]: 'me ' }),
        chunk({ [field]: 'see', content: null }),
        chunk({ content: 'It is ' }),
        chunk({ content: '4' }),
        chunk({ [field]: 'sure' }),
        chunk({}, 'stop', {
          usage: { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 4 } }
        })
      )
    )
    const { stream } = await model.doStream(call())
    const parts = await readAll(stream)
    t.match(parts.slice(2), [
      { type: 'reasoning-start', id: 'reasoning-0' },
      { type: 'reasoning-delta', id: 'reasoning-0', delta: 'Let me see' },
      { type: 'reasoning-end', id: 'reasoning-0' },
      { type: 'text-start', id: 'text-1' },
      { type: 'text-delta', id: 'text-1', delta: 'It is 4' },
      { type: 'text-end', id: 'text-1' },
      { type: 'reasoning-start', id: 'reasoning-2' },
      { type: 'reasoning-delta', id: 'reasoning-2', delta: 'sure' },
      { type: 'reasoning-end', id: 'reasoning-2' },
      {
        type: 'finish',
        usage: { inputTokens: { total: undefined }, outputTokens: { total: 9, text: 5, reasoning: 4 } }
      }
    ])
  }
})

t.test('what an event says beside its text is said each time', async (t) => {
  const piece = { index: 0, id: 'a', function: { name: 'f', arguments: '1' } }
  const model = await replying(
    t,
    events(
      ...['a', 'b', 'c'].map((content) => chunk({ content, reasoning: 'r' })),
      ...['d', 'e', 'f'].map((content) => chunk({ content, tool_calls: [piece] }))
    )
  )
  const { content } = await model.doGenerate(call())
  const all = (type: string) =>
    content.map((it) => (it.type === type && 'text' in it ? it.text : '')).join('')
  t.equal(all('text'), 'abcdef')
  t.equal(all('reasoning'), 'rrr')
  t.match(content.at(-1), { type: 'tool-call', input: '111' })
})

t.test('why a reply ended', async (t) => {
  const ended = async (finish: string | null, ...more: string[]) => {
    const model = await replying(t, events(chunk({ content: 'x' }), chunk({}, finish), ...more))
    return (await readAll((await model.doStream(call())).stream)).at(-1)
  }
  const reasons = {
    stop: 'stop',
    length: 'length',
    content_filter: 'content-filter',
    tool_calls: 'tool-calls',
    function_call: 'tool-calls',
    toString: 'other'
  }
  for (const [raw, unified] of Object.entries(reasons))
    t.match(await ended(raw), { type: 'finish', finishReason: { unified, raw } })
  t.match(await ended(null), { type: 'finish', finishReason: { unified: 'other', raw: undefined } })
})

t.test('replies that leave something out are complete all the same', async (t) => {
  const said = async (body: string) => {
    const model = await replying(t, body)
    const parts = await readAll((await model.doStream(call())).stream)
    t.match(parts.at(-1), { type: 'finish' })
    return text(parts)
  }
  const hi = chunk({ content: 'hi' })
  const stop = chunk({}, 'stop')
  t.equal(await said(event(hi) + event(stop)), 'hi', 'no [DONE]')
  t.equal(await said((event(hi) + event(stop)).trimEnd()), 'hi', 'no empty line at the end')
  t.equal(await said(events(hi, stop).replaceAll('\n', '\r\n')), 'hi', 'lines of windows')
  t.equal(await said(`: keepalive\n\n${events(hi, stop)}`), 'hi', 'comments')
  t.equal(await said(events(hi, stop, { choices: [], usage: null })), 'hi', 'no usage')
  t.equal(await said(events(chunk({ refusal: 'I will not' }), stop)), 'I will not', 'a refusal')
  t.equal(
    await said(events(chunk({ content: [{ type: 'text', text: 'hi' }] }), stop)),
    'hi',
    'content in parts'
  )
  t.equal(await said(events(stop, '[DONE]', chunk({ content: 'late' }))), '', 'what comes after the end')
})

t.test('a whole reply', async (t) => {
  const { model } = await testbed(t)
  const result = await model('mock?text=It is done&reasoning=2').doGenerate(call({ topK: 3 }))
  t.match(result, {
    content: [
      { type: 'reasoning', text: 'hm hm ' },
      { type: 'text', text: 'It is done' }
    ],
    finishReason: { unified: 'stop' },
    usage: { outputTokens: { total: 5, text: 3, reasoning: 2 } },
    warnings: [{ type: 'unsupported', feature: 'topK' }],
    response: { id: /^chatcmpl-/, headers: { 'content-type': /event-stream/ } }
  })
  const tools = [{ type: 'function' as const, name: 'clock', inputSchema: {} }]
  t.match(await model('mock?tool=clock').doGenerate(call({ tools })), {
    content: [{ type: 'tool-call', toolName: 'clock', input: '{}' }],
    finishReason: { unified: 'tool-calls' }
  })
})
