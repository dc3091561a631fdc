import { once } from 'node:events'
import t from 'tap'
import { startModelServer } from '../model-server.ts'

const user = (content: string) => ({ role: 'user', content })
const tools = [{ type: 'function', function: { name: 'clock' } }]

interface Message {
  content: string | null
  tool_calls?: object[]
}

/** A server, and what a model of it says to messages. */
async function talk(
  t: Parameters<typeof startModelServer>[0],
  options?: Parameters<typeof startModelServer>[1]
) {
  const server = await startModelServer(t, options)
  const ask = (model: string, body: object = {}, signal?: AbortSignal) =>
    fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model, messages: [user('hello you')], ...body }),
      ...(signal && { signal })
    })
  const message = async (model: string, body?: object) => {
    const { choices } = (await (await ask(model, body)).json()) as { choices: { message: Message }[] }
    return choices[0]?.message as Message
  }
  const said = async (model: string, body?: object) => (await message(model, body)).content
  const streamed = async (model: string, body?: object) => {
    const text = await (await ask(model, { stream: true, ...body })).text()
    return text
      .split('\n\n')
      .flatMap((event) => (/^data: \{/.test(event) ? [JSON.parse(event.slice(6))] : []))
  }
  return { server, ask, message, said, streamed }
}

t.test('what it says', async (t) => {
  const { said } = await talk(t)
  t.equal(await said('mock'), 'tok '.repeat(20))
  t.equal(await said('mock?tokens=2'), 'tok tok ')
  t.equal(await said('mock?numbered=1&tokens=3'), 't0 t1 t2 ')
  t.equal(await said('mock?text=one two'), 'one two')
  t.equal(await said('mock?reply=echo'), 'hello you')
  const parts = [{ role: 'user', content: [{ type: 'text', text: 'in parts' }] }]
  t.equal(await said('mock?reply=echo', { messages: parts }), 'in parts')
})

t.test('it wanders when it is asked again', async (t) => {
  const { said } = await talk(t)
  t.equal(await said('mock?wander=2&tokens=4&numbered=1'), 't0 t1 t2 t3 ')
  t.equal(await said('mock?wander=2&tokens=4&numbered=1'), 't0 t1 w1-2 w1-3 ')
  t.equal(await said('mock?wander=2&tokens=4&numbered=1', { messages: [user('else')] }), 't0 t1 t2 t3 ')
})

t.test('a tool is called once a message of the user', async (t) => {
  const { said, message } = await talk(t)
  const model = 'mock?tool=clock&args={"city":"Oslo"}&text=noon'
  const [call] = (await message(model, { tools })).tool_calls ?? []
  t.match(call, { type: 'function', function: { name: 'clock', arguments: '{"city":"Oslo"}' } })
  const messages = [user('when'), { role: 'assistant', tool_calls: [call] }, { role: 'tool', content: '12' }]
  t.equal(await said(model, { tools, messages }), 'noon')
  t.equal(await said(model), 'noon', 'nor where none is offered')
})

t.test('faults end after so many requests of a run', async (t) => {
  const { ask } = await talk(t)
  const statuses = async (model: string, content = 'hi') => {
    const first = (await ask(model, { messages: [user(content)] })).status
    return [first, (await ask(model, { messages: [user(content)] })).status]
  }
  t.same(await statuses('mock?status=503&times=1'), [503, 200])
  t.same(await statuses('mock?status=503&times=1', 'another'), [503, 200])
  t.same(await statuses('mock?status=503&times=1&run=a'), [503, 200])
  t.same(await statuses('mock?status=503&times=1&run=a', 'another'), [200, 200])
  t.same(await statuses('mock?status=429&retryAfter=3'), [429, 429])
  t.equal((await ask('mock?status=429&retryAfter=3')).headers.get('retry-after'), '3')
})

t.test('streams, whole or broken', async (t) => {
  const { server, streamed, ask } = await talk(t)
  const usage = (await streamed('mock?tokens=3', { stream_options: { include_usage: true } })).at(-1).usage
  t.match(usage, { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 })
  t.equal(server.stats.tokens, 3)
  t.equal((await streamed('mock?tokens=3')).length, 5)
  t.match((await streamed('mock?tokens=3&errorAt=1')).at(-1), { error: { code: 'overloaded' } })
  await t.rejects(streamed('mock?tokens=3&cutAt=1'), { message: 'terminated' })
  t.equal(server.stats.left, 0)

  const abort = new AbortController()
  const left = once(server.events, 'left')
  await ask('mock?endless=1', { stream: true }, abort.signal)
  abort.abort()
  await left
  t.match(server.stats, { left: 1, active: 0 })
})

t.test('what was asked is recorded', async (t) => {
  const { server, ask } = await talk(t, { keep: 2 })
  for (const model of ['one', 'two', 'three']) await ask(model)
  t.match(server.requests, [
    { body: { model: 'two' }, path: '/v1/chat/completions' },
    { body: { model: 'three' } }
  ])
  t.equal(server.stats.requests, 3)
  t.match(await (await fetch(`${server.url}/models`)).json(), { object: 'list', data: [{ id: 'mock' }] })
  t.equal((await fetch(`${server.url}/nothing`)).status, 404)
  t.equal((await fetch(`${server.url}/chat/completions`, { method: 'POST', body: '{' })).status, 400)
})

t.test('a test may answer itself, or change the script', async (t) => {
  const { ask, said } = await talk(t, {
    respond: ({ body }, response) =>
      body.model === 'mine' ? void response.writeHead(418).end() : { text: 'changed', tokens: 1 }
  })
  t.equal((await ask('mine')).status, 418)
  t.equal(await said('mock'), 'changed')
})
