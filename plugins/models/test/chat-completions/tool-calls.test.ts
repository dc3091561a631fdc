import t from 'tap'
import { replyLimits } from '../../reply-limits.ts'
import { call, chunk, events, failureOf, joined, readAll, replying, testbed } from './testbed.ts'

t.test('tool calls are put together by index', async (t) => {
  const { model } = await testbed(t)
  const tools = [{ type: 'function' as const, name: 'search', inputSchema: {} }]
  const args = '{"query": "a rather long question"}'
  const query = `tool=search&args=${encodeURIComponent(args)}&tool=clock`
  const { stream } = await model(`mock?${query}`).doStream(call({ tools }))
  const parts = joined(await readAll(stream))
  t.match(parts.slice(2), [
    { type: 'tool-input-start', id: /^call_/, toolName: 'search' },
    { type: 'tool-input-delta', delta: args },
    { type: 'tool-input-start', toolName: 'clock' },
    { type: 'tool-input-delta', delta: '{}' },
    { type: 'tool-input-end' },
    { type: 'tool-call', toolName: 'search', input: args },
    { type: 'tool-input-end' },
    { type: 'tool-call', toolName: 'clock', input: '{}' },
    { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_calls' } }
  ])
  const calls = parts.filter((part) => part.type === 'tool-call')
  t.equal(new Set(calls.map(({ toolCallId }) => toolCallId)).size, 2)

  const broken = await readAll((await model('mock?tool=search&badArgs=1').doStream(call({ tools }))).stream)
  t.match(
    broken.find(({ type }) => type === 'tool-call'),
    { input: '{"unfinished": ' }
  )
})

t.test('tool calls as servers really send them', async (t) => {
  const called = async (...deltas: object[]) => {
    const model = await replying(
      t,
      events(...deltas.map((it) => chunk({ tool_calls: [it] })), chunk({}, 'stop'))
    )
    const parts = await readAll((await model.doStream(call())).stream)
    t.match(parts.at(-1), { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'stop' } })
    return parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
  }
  const fn = (name: string | null, given?: unknown) => ({ function: { name, arguments: given } })

  t.match(
    await called(
      { index: 0, id: 'a', ...fn('one', '{"x"') },
      { index: 1, id: 'b', ...fn('two', '{}') },
      { index: 0, ...fn(null, ':1}') }
    ),
    [
      { toolCallId: 'a', toolName: 'one', input: '{"x":1}' },
      { toolCallId: 'b', toolName: 'two', input: '{}' }
    ],
    'interleaved'
  )
  t.match(
    await called({ index: 0, id: 'a', ...fn('one', '{}') }, { index: 0, id: 'b', ...fn('two', '{}') }),
    [
      { toolCallId: 'a', toolName: 'one' },
      { toolCallId: 'b', toolName: 'two' }
    ],
    'all of them number 0'
  )
  t.match(
    await called({ id: 'a', ...fn('one', '{') }, { ...fn(null, '}') }, { ...fn('two', '{}') }),
    [
      { toolCallId: 'a', toolName: 'one', input: '{}' },
      { toolCallId: /^\w{9}$/, toolName: 'two', input: '{}' }
    ],
    'without index and id'
  )
  t.match(await called({ index: 0, id: 'a', ...fn('one', '') }), [{ input: '{}' }], 'no arguments')
  t.match(await called({ index: 0, id: 'a', ...fn('one', { x: 1 }) }), [{ input: '{"x":1}' }], 'an object')
  t.match(
    await called({ index: 0, id: 'a', ...fn(null, '{"x"') }, { index: 0, ...fn('one', ':1}') }),
    [{ toolCallId: 'a', toolName: 'one', input: '{"x":1}' }],
    'the name comes late'
  )
  const whole = fn('one', '{"x":1}')
  const two = [{ input: '{"x":1}' }, { input: '{"x":1}' }]
  t.match(await called({ index: 0, ...whole }, { index: 0, ...whole }), two, 'whole ones without IDs')
  t.match(await called({ id: 'a', ...whole }, { id: 'a', ...whole }), two, 'whole ones of one ID')
  t.match(await called({ index: 0, id: 'a', ...whole }, { index: 0, id: 'a', ...whole }), two)
  const named = ['{"x"', ':{', '"y"', ':{}', '}}'].map((piece) => ({ index: 0, ...fn('one', piece) }))
  t.strictSame(
    (await called(...named)).map(({ input }) => input),
    ['{"x":{"y":{}}}'],
    'the name comes with each piece'
  )
  t.match(
    await called({ index: 0, id: 'a', ...fn('get_', '') }, { index: 0, ...fn('weather', '{}') }),
    [{ toolName: 'get_weather', input: '{}' }],
    'the name comes in pieces'
  )
})

t.test('calls are as many and as large as they may be, and no more', async (t) => {
  const { calls, id, input, name, values } = replyLimits
  const made = async (...deltas: object[][]) => {
    const chunks = deltas.map((tool_calls) => chunk({ tool_calls }))
    const model = await replying(t, events(...chunks, chunk({}, 'stop')))
    return (await model.doGenerate(call())).content.length
  }
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ index, function: { name: 'f', arguments: '{}' } }))
  const one = (it: object, more: object = {}) => made([{ index: 0, ...more, function: { name: 'f', ...it } }])
  const refused = { kind: 'upstream', code: 'reply_too_large' }
  const tooMany = { kind: 'upstream', code: 'too_many_calls' }

  t.equal(await made(numbered(calls)), calls)
  t.equal(await made(...numbered(calls).map((it) => [it])), calls)
  t.match(await failureOf(made(numbered(calls + 1))), tooMany, 'in one event')
  t.match(await failureOf(made(...numbered(calls + 1).map((it) => [it]))), tooMany, 'one by one')
  t.match(await failureOf(made(...numbered(calls + 1).map(({ index: _, ...it }) => [it]))), tooMany)
  t.match(await failureOf(one({ name: 'f'.repeat(name + 1) })), refused)
  t.match(await failureOf(one({}, { id: 'i'.repeat(id + 1) })), refused)
  t.match(await failureOf(one({ arguments: `[${'0,'.repeat(values)}0]` })), refused)
  const quarter = numbered(4).map(({ index }) => [
    { index, function: { name: 'f', arguments: 'a'.repeat(input / 4) } }
  ])
  t.equal(await made(...quarter), 4)
  t.match(await failureOf(made(...quarter, numbered(1))), refused, 'all of them together')
})
