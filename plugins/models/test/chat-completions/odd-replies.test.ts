import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import t from 'tap'
import { call, chunk, event, events, readAll, replying, testbed } from './testbed.ts'

const said = async (scope: Parameters<typeof replying>[0], body: string, headers = {}) =>
  (await replying(scope, body, headers)).doGenerate(call())
const textOf = ({ content }: LanguageModelV4GenerateResult, type: 'text' | 'reasoning' = 'text') =>
  content.flatMap((it) => (it.type === type ? it.text : [])).join('|')
const stop = chunk({}, 'stop')
/** Text in deltas of so many characters. */
const deltas = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    chunk({ content: text.slice(i * size, (i + 1) * size) })
  )

t.test('reads thoughts at the beginning of a text, however it is cut', async (t) => {
  for (const [text, reasoning, answer] of [
    ['<think>\nHm.\n</think>\n\n{"sum":4}', '\nHm.\n', '{"sum":4}'],
    ['\n<thinking>Hm</thinking>Four', 'Hm', 'Four'],
    ['<think>\n\n</think>\n\nFour', '\n\n', 'Four'],
    ['<think>One</think>\n<think>Two</think>\nFour', 'One|Two', 'Four'],
    ['[THINK]Hm[/THINK]Four', 'Hm', 'Four'],
    ['<think>a < b </thin k></think>Four', 'a < b </thin k>', 'Four'],
    ['<think>never closed', 'never closed', ''],
    ['<thin air> is text', '', '<thin air> is text'],
    ['In HTML <think>x</think> is a tag', '', 'In HTML <think>x</think> is a tag'],
    ['  indented', '', '  indented'],
    ['<', '', '<']
  ] as const)
    for (const size of [1, 2, 3, 7, 1_000]) {
      const reply = await said(t, events(...deltas(text, size), stop))
      t.equal(textOf(reply), answer, `${text} by ${size}`)
      t.equal(
        textOf(reply, 'reasoning').replaceAll('|', ''),
        reasoning.replaceAll('|', ''),
        `${text} by ${size}`
      )
    }
})

t.test('reads a thought that the template of the model has opened', async (t) => {
  let text = 'Hm.\n</think>\n\nFour'
  const { model } = await testbed(t, {
    respond: (_, response) => void response.writeHead(200).end(events(...deltas(text, 3), stop))
  })
  const known = await model('DeepSeek-R1-Distill-Qwen-7B').doGenerate(call())
  t.match([textOf(known, 'reasoning'), textOf(known)], ['Hm.\n', 'Four'])
  const other = model('any')
  text = 'Hm.</think>Four'
  const whole = { respond: events(chunk({ content: text }), stop) }
  const { model: taught } = await testbed(t, {
    respond: (_, response) => void response.writeHead(200).end(whole.respond)
  })
  const one = taught('any')
  await one.doGenerate(call())
  const second = await one.doGenerate(call())
  t.match([textOf(second, 'reasoning'), textOf(second)], ['Hm.', 'Four'], 'it learns from the first reply')
  text = '<think>Hm</think>Four'
  t.match(textOf(await model('qwq-32b').doGenerate(call())), 'Four', 'one that opens it all the same')
  text = 'No thought at all'
  t.match(textOf(await model('qwq-32b').doGenerate(call())), 'No thought at all', 'the answer is never lost')
  t.match(textOf(await other.doGenerate(call())), 'No thought at all')
})

t.test('reads a document in place of a stream, and messages in place of deltas', async (t) => {
  const message = {
    role: 'assistant',
    content: 'Not in pieces.',
    reasoning_content: 'Hm',
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } }]
  }
  const usage = { prompt_tokens: 4, completion_tokens: 3, total_tokens: 7 }
  const whole = {
    id: 'c',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage
  }
  for (const body of [
    JSON.stringify(whole),
    JSON.stringify(whole, null, 2),
    event({ ...whole, object: undefined })
  ]) {
    const reply = await said(t, body, { 'content-type': 'application/json' })
    t.equal(textOf(reply), 'Not in pieces.')
    t.equal(textOf(reply, 'reasoning'), 'Hm')
    t.match(reply.content.at(-1), { type: 'tool-call', toolName: 'f', input: '{"x":1}' })
    t.match(reply, { finishReason: { unified: 'tool-calls' }, usage: { inputTokens: { total: 4 } } })
  }
  const long = 'word '.repeat(20_000)
  const longer = await said(t, JSON.stringify({ choices: [{ message: { content: long } }] }))
  t.equal(textOf(longer), long)
})

t.test('reads the one call of older servers', async (t) => {
  const reply = await said(
    t,
    events(
      chunk({ function_call: { name: 'look', arguments: '' } }),
      chunk({ function_call: { arguments: '{"at":' } }),
      chunk({ function_call: { arguments: '"sky"}' } }),
      chunk({}, 'function_call')
    )
  )
  t.match(reply.content, [{ type: 'tool-call', toolName: 'look', input: '{"at":"sky"}' }])
  t.match(reply.finishReason, { unified: 'tool-calls' })
})

t.test('reads content in parts, thoughts among them', async (t) => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
    { type: 'text', text: 'Four' }
  ]
  const reply = await said(t, events(chunk({ content }), stop))
  t.match([textOf(reply, 'reasoning'), textOf(reply)], ['Hm', 'Four'])
  t.equal(textOf(await said(t, events(chunk({ content: [{ type: 'refusal', refusal: 'No' }] }), stop))), 'No')
  t.equal(
    textOf(
      await said(t, events(chunk({ reasoning_text: 'Hm', content: '' }), chunk({ content: 'x' }), stop)),
      'reasoning'
    ),
    'Hm'
  )
})

t.test('reads usage in every spelling', async (t) => {
  const told = async (...more: object[]) =>
    (await said(t, events(chunk({ content: 'x' }), stop, ...more))).usage
  for (const usage of [
    { prompt_tokens: 120, completion_tokens: 30 },
    { prompt_tokens: '120', completion_tokens: '30' },
    { input_tokens: 120, output_tokens: 30 },
    { prompt_tokens: 120, total_tokens: 150 }
  ])
    for (const chunk of [
      { choices: [], usage },
      { choices: [{ index: 0, delta: {}, usage }] },
      { choices: [], x_groq: { usage } }
    ])
      t.match(
        await told(chunk),
        { inputTokens: { total: 120 }, outputTokens: { total: 30 } },
        JSON.stringify(chunk)
      )
  const zeros = { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0 } }
  t.match(await told({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } }, zeros), {
    inputTokens: { total: 5 }
  })
  const details = {
    prompt_tokens: 100,
    completion_tokens: 40,
    total_tokens: 190,
    prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
    completion_tokens_details: { reasoning_tokens: 50 }
  }
  t.match(await told({ choices: [], usage: details }), {
    inputTokens: { total: 100, noCache: 30, cacheRead: 60, cacheWrite: 10 },
    outputTokens: { total: 90, text: 40, reasoning: 50 }
  })
  const proxied = {
    prompt_tokens: 9,
    completion_tokens: 4,
    cache_read_input_tokens: '3',
    cache_creation_input_tokens: 2
  }
  t.match(await told({ choices: [], usage: proxied }), {
    inputTokens: { cacheRead: 3, cacheWrite: 2, noCache: 4 }
  })
})

t.test('reads usage behind the end, and does not wait for it for long', async (t) => {
  const usage = event({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } })
  const { model } = await testbed(t, {
    respond({ body }, response) {
      response.writeHead(200).write(events(chunk({ content: 'x' }), stop))
      if (body.model === 'ends') response.end(usage)
      else if (body.model === 'stays') response.write(usage)
    }
  })
  for (const name of ['ends', 'stays']) {
    const reply = await model(name).doGenerate(call())
    t.match([textOf(reply), reply.usage.inputTokens.total], ['x', 5], name)
  }
  const parts = await readAll((await model('says nothing more').doStream(call())).stream)
  t.match(parts.at(-1), { type: 'finish', usage: { inputTokens: { total: undefined } } })
})
