import { inspect } from 'node:util'
import { APICallError } from '@ai-sdk/provider'
import t from 'tap'
import {
  API_KEY,
  call,
  chunk,
  event,
  events,
  failureOf,
  faultOf,
  numbered,
  prompt,
  replying,
  testbed,
  text,
  untilFailure
} from './testbed.ts'

t.test('a status that is no success', async (t) => {
  const { model } = await testbed(t)
  const retryable = { 400: false, 401: false, 404: false, 408: true, 429: true, 500: true, 503: true }
  for (const [status, isRetryable] of Object.entries(retryable)) {
    const error = await failureOf(model(`mock?status=${status}&retryAfter=7`).doStream(call()))
    t.ok(APICallError.isInstance(error))
    t.match(error, {
      message: `test answered ${status} (code_${status})`,
      statusCode: Number(status),
      isRetryable,
      responseHeaders: { 'retry-after': '7' },
      responseBody: /Scripted/,
      data: { message: `Scripted ${status}`, type: 'scripted_error' },
      url: /^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/
    })
  }
  const twice = model('mock?status=500&times=2&text=at last')
  t.match(await failureOf(twice.doGenerate(call())), { statusCode: 500 })
  t.match(await failureOf(twice.doGenerate(call())), { statusCode: 500 })
  t.match(await twice.doGenerate(call()), { content: [{ text: 'at last' }] })
})

t.test('errors as servers spell them', async (t) => {
  const refusal = async (status: number, body: string) => {
    const { model } = await testbed(t, {
      respond: (_request, response) => void response.writeHead(status, { 'set-cookie': 'a=b' }).end(body)
    })
    const error = await failureOf(model('any').doStream(call()))
    t.notOk(error.responseHeaders?.['set-cookie'])
    return error
  }
  t.match(await refusal(404, '{"error":"no such model"}'), {
    message: 'test answered 404',
    data: { message: 'no such model' }
  })
  t.match(await refusal(400, '{"object":"error","message":"no","code":"bad_thing"}'), {
    message: /\(bad_thing\)/
  })
  t.match(await refusal(422, '{"detail":[{"loc":["body"]}]}'), { message: 'test answered 422' })
  t.match(await refusal(429, '{"error":{"code":"insufficient_quota"}}'), { isRetryable: false })
  t.match(await refusal(301, ''), { message: 'test answered 301', isRetryable: false, responseBody: '' })
  const long = await refusal(502, `<html>${'long '.repeat(100_000)}`)
  t.equal(long.responseBody?.length, 2048)
  t.equal((await refusal(400, '{"error":{"code":"a sentence, maybe yours"}}')).message, 'test answered 400')
})

t.test('no secret and no prompt is in an error', async (t) => {
  const told = (said: string) => JSON.stringify({ error: { message: `You said ${said}`, code: 'no' } })
  const { server, model } = await testbed(t, {
    respond({ body, headers, path }, response) {
      const said = `${headers.authorization} ${path} ${JSON.stringify(body.messages)}`
      if (body.model === 'refuses') response.writeHead(400).end(told(said))
      else response.writeHead(200).end(`data: ${told(said)}\n\n`)
    }
  })
  const secrets = [API_KEY, 'pass-word-7', 'query-secret']
  const baseUrl = `${server.url.replace('//', '//ada:pass-word-7@')}?key=query-secret`
  for (const name of ['refuses', 'fails'])
    for (const apiKey of [API_KEY, undefined]) {
      const error = await faultOf(
        model(name, { baseUrl, apiKey }).doStream(call({ prompt: prompt('My diary') }))
      )
      const all = inspect(error, { depth: 9 })
      for (const secret of [...secrets, Buffer.from('ada:pass-word-7').toString('base64')])
        t.notOk(all.includes(secret))
      t.match(error.responseBody, /You said/)
      t.notMatch(error.message, /diary/)
      t.same(error.requestBodyValues, { model: name })
      t.equal(error.url, `${server.url}/chat/completions`)
    }
})

t.test('an error within a reply comes after what was said', async (t) => {
  const { model } = await testbed(t)
  const { stream } = await model('mock?numbered=1&tokens=9&errorAt=4').doStream(call())
  const { parts, error } = await untilFailure(stream)
  t.equal(text(parts), numbered(4))
  t.match(error, {
    message: 'test failed while it answered (overloaded)',
    isRetryable: true,
    data: { code: 'overloaded' }
  })

  const told = async (error: unknown) =>
    faultOf((await replying(t, events(chunk({ content: 'x' }), { error }))).doStream(call()))
  t.match(await told({ code: 502, message: 'upstream' }), {
    statusCode: 502,
    isRetryable: true,
    message: /502/
  })
  t.match(await told({ code: 400 }), { statusCode: 400, isRetryable: false })
  t.match(await told({ type: 'invalid_request_error' }), { isRetryable: false })
  t.match(await told('broken'), { data: { message: 'broken' }, isRetryable: true })
})

t.test('a reply that is cut', async (t) => {
  const { model } = await testbed(t)
  const { stream } = await model('mock?numbered=1&tokens=9&cutAt=5').doStream(call())
  const { parts, error } = await untilFailure(stream)
  t.equal(text(parts), numbered(5))
  t.match(error, {
    message: /^test broke off in the middle of its reply \(UND_ERR_SOCKET\)$/,
    isRetryable: true
  })

  const ended = async (body: string) => faultOf((await replying(t, body)).doStream(call()))
  const hi = event(chunk({ content: 'hi' }))
  t.match(await ended(hi), { message: /broke off/, isRetryable: true }, 'a clean end')
  t.match(await ended(hi.slice(0, -20)), { message: /broke off/, isRetryable: true }, 'in an event')
  t.match(await ended(''), { message: /broke off/, isRetryable: true }, 'before anything')
})

t.test('a cut after the reason of the end is none', async (t) => {
  const { model } = await testbed(t, {
    respond(_request, response) {
      const body = event(chunk({ content: 'all of it' })) + event(chunk({}, 'stop'))
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(body, () => response.socket?.destroy())
    }
  })
  t.match(await model('any').doGenerate(call()), {
    content: [{ text: 'all of it' }],
    finishReason: { unified: 'stop' }
  })
})

t.test('a reply that says nothing', async (t) => {
  const empty = { message: 'test ended its reply without saying anything', isRetryable: true }
  const said = async (...chunks: object[]) => faultOf((await replying(t, events(...chunks))).doStream(call()))
  t.match(await said(), empty)
  t.match(await said({ choices: [] }, { choices: [], usage: { prompt_tokens: 3 } }), empty)
  t.match(await said(chunk({ role: 'assistant', content: '' })), empty)
})

t.test('what is no reply', async (t) => {
  const { model } = await testbed(t)
  const wrong = (query: string) => faultOf(model(`mock?${query}`).doStream(call()))
  t.match(await wrong('rubbish=1'), { message: /no stream of events/, isRetryable: false, statusCode: 200 })
  t.match(await wrong('rubbish=html'), { responseBody: /It works/, isRetryable: false })
  t.match(await wrong('rubbish=json'), { message: 'test sent an event that is no JSON', isRetryable: false })

  const sent = async (body: string, type = 'text/event-stream') =>
    faultOf((await replying(t, body, { 'content-type': type })).doStream(call()))
  t.match(await sent('<html>', 'text/html; charset=utf-8'), {
    message: 'test answered with text/html that is no stream of events'
  })
  t.match(await sent('{"error":{"code":"no_such_model"}}', 'application/json'), {
    message: 'test failed while it answered (no_such_model)'
  })
  t.match(await sent(events(5 as never)), { message: 'test sent an event that has another shape' })
  t.match(await sent('no event\n'.repeat(600_000)), { message: /no stream of events/ })
  t.match(await sent(events(chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }))), {
    message: /without a name/
  })
})
