import { getEventListeners, once } from 'node:events'
import t from 'tap'
import { call, chunk, event, events, failureOf, flood, numbered, readAll, testbed, text } from './testbed.ts'

t.test('aborting before the headers', async (t) => {
  const { server, model, sockets } = await testbed(t)
  const abort = new AbortController()
  const reason = new Error('Changed my mind')
  const asked = once(server.events, 'request')
  const opening = failureOf(model('mock?hang=headers').doStream(call({ abortSignal: abort.signal })))
  await asked
  const left = once(server.events, 'left')
  abort.abort(reason)
  t.equal(sockets[0]?.destroyed, true, 'at once')
  t.equal(await opening, reason)
  await left
  t.same(getEventListeners(abort.signal, 'abort'), [])
})

t.test('aborting in the middle', async (t) => {
  const { server, model, sockets } = await testbed(t)
  const abort = new AbortController()
  const { stream } = await model('mock?hangAt=3&numbered=1').doStream(call({ abortSignal: abort.signal }))
  const reader = stream.getReader()
  let said = ''
  while (said !== numbered(3)) {
    const { value } = await reader.read()
    if (value?.type === 'text-delta') said += value.delta
  }
  const reading = failureOf(reader.read())
  const left = once(server.events, 'left')
  abort.abort()
  t.equal(sockets[0]?.destroyed, true, 'at once')
  t.equal(await reading, abort.signal.reason)
  t.equal(await failureOf(reader.read()), abort.signal.reason)
  await left
  t.same(getEventListeners(abort.signal, 'abort'), [])
})

t.test('aborting what nobody reads', async (t) => {
  const { model } = await testbed(t)
  const abort = new AbortController()
  const { stream } = await model('mock?endless=1').doStream(call({ abortSignal: abort.signal }))
  abort.abort('enough')
  t.equal(await failureOf(readAll(stream)), 'enough')
})

t.test('a call that is aborted already is not made', async (t) => {
  const { server, model } = await testbed(t)
  const reason = new Error('Too late')
  const abortSignal = AbortSignal.abort(reason)
  t.equal(await failureOf(model('mock').doStream(call({ abortSignal }))), reason)
  t.equal(await failureOf(model('mock').doGenerate(call({ abortSignal }))), reason)
  t.equal(server.stats.requests, 0)
})

t.test('a call that is aborted while it waits for a connection is never made', async (t) => {
  const { server, model, sockets } = await testbed(t, { connections: 1 })
  const first = await model('mock?hangAt=1&times=1').doStream(call())
  const abort = new AbortController()
  const second = failureOf(model('mock').doStream(call({ abortSignal: abort.signal })))
  abort.abort()
  t.equal(await second, abort.signal.reason)
  t.equal(sockets[0]?.destroyed, false)
  const third = model('mock?text=my turn').doGenerate(call())
  await first.stream.cancel()
  t.match(await third, { content: [{ text: 'my turn' }] })
  t.equal(server.stats.requests, 2)
})

t.test('a caller that cancels closes the connection', async (t) => {
  const { server, model, sockets } = await testbed(t)
  const abort = new AbortController()
  const left = once(server.events, 'left')
  const { stream } = await model('mock?endless=1').doStream(call({ abortSignal: abort.signal }))
  for await (const part of stream) if (part.type === 'text-delta') break
  t.equal(sockets[0]?.destroyed, true)
  await left
  t.same(getEventListeners(abort.signal, 'abort'), [])
})

t.test('a connection is used again after a reply, and not after a fault', async (t) => {
  const { model, sockets } = await testbed(t, {
    connections: 1,
    respond({ body }, response) {
      if (body.model !== 'faulty') return
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ error: { message: 'overloaded' } }))
    }
  })
  const abort = new AbortController()
  const options = call({ abortSignal: abort.signal })
  for (let i = 0; i < 3; i++) await model('mock').doGenerate(options)
  t.match(await failureOf(model('mock?status=500').doGenerate(options)), { statusCode: 500 })
  t.equal(sockets.length, 1)
  await failureOf(model('faulty').doGenerate(options))
  t.equal(sockets[0]?.destroyed, true)
  t.same(getEventListeners(abort.signal, 'abort'), [])
  abort.abort()
  t.match(await model('mock').doGenerate(call()), { finishReason: { unified: 'stop' } })
  t.equal(sockets.length, 2)
})

t.test('a reply is complete when it says so, whenever its body ends', async (t) => {
  const { server, model, sockets } = await testbed(t, {
    respond(_request, response) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(events(chunk({ content: 'done' }), chunk({}, 'stop')))
      return new Promise((resolve) => response.once('close', () => resolve()))
    }
  })
  const left = once(server.events, 'left')
  t.match(await model('any').doGenerate(call()), { content: [{ text: 'done' }] })
  t.equal(sockets[0]?.destroyed, false)
  await left
  t.equal(sockets[0]?.destroyed, true, 'its connection is not kept for ever')
})

t.test('a reader that is slow holds the server back', async (t) => {
  const limit = 50_000
  const stuck = Promise.withResolvers<number>()
  const { model } = await testbed(t, {
    async respond(_request, response) {
      const written = await flood(response, event(chunk({ content: 'tok '.repeat(500) })), limit)
      stuck.resolve(written)
      response.end(events(chunk({}, 'stop')))
    }
  })
  const { stream } = await model('any').doStream(call())
  const written = await stuck.promise
  t.ok(written < limit, 'it must stop writing')
  t.equal(text(await readAll(stream)), 'tok '.repeat(500 * written), 'nothing is lost by it')
})
