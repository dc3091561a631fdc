import { APICallError } from '@ai-sdk/provider'
import t from 'tap'
import { call, chunk, events, testbed } from './testbed.ts'

const odd = [null, 1e300, 'text', true, [], {}, [null], ['x']]

/** An object with one of its values, at any depth, replaced by something odd, in every way there is. */
function* distorted(value: unknown): Generator<unknown> {
  yield* odd
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    for (const other of distorted(inner)) {
      if (Array.isArray(value)) yield value.map((it, i) => (String(i) === key ? other : it))
      else yield { ...value, [key]: other }
    }
}

t.test('whatever shape an event has, it is read, or refused in words of ours', async (t) => {
  const whole = {
    ...chunk(
      {
        content: 'x',
        reasoning: 'y',
        tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }]
      },
      'stop'
    ),
    usage: { prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 1 }, completion_tokens_details: null },
    error: null
  }
  let reply = ''
  const { model } = await testbed(t, {
    respond: (_request, response) => void response.writeHead(200).end(reply)
  })
  const others: unknown[] = []
  let read = 0
  let refused = 0
  for (const shape of distorted(whole)) {
    reply = events(chunk({ content: 'before' }), shape as object, chunk({ content: 'after' }))
    try {
      const { response, usage } = await model('any').doGenerate(call())
      if (response?.timestamp && !Number.isFinite(response.timestamp.getTime())) others.push(shape)
      if (usage.raw !== undefined && typeof usage.raw !== 'object') others.push(shape)
      read++
    } catch (error) {
      refused++
      if (!APICallError.isInstance(error)) others.push([shape, error])
    }
  }
  t.same(others, [])
  t.ok(read > 100)
  t.ok(refused > 10)
})
