import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart
} from '@ai-sdk/provider'
import t from 'tap'
import { createLocalModel } from '../../local/model.ts'

const model = createLocalModel('development')
const system = (content: string): LanguageModelV4Message => ({ role: 'system', content })
const user = (text: string): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] })
const assistant = (text: string): LanguageModelV4Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }]
})
const called = (toolCallId: string, output: unknown): LanguageModelV4Prompt => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName: 'tool', input: {} }] },
  { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'tool', output: output as never }] }
]

async function parts(prompt: LanguageModelV4Prompt, options: Partial<LanguageModelV4CallOptions> = {}) {
  const { stream } = await model.doStream({ prompt, ...options })
  return Array.fromAsync(stream)
}
const deltas = (all: readonly LanguageModelV4StreamPart[]) =>
  all.flatMap((part) => (part.type === 'text-delta' ? part.delta : []))
async function say(...messages: (LanguageModelV4Message | string)[]) {
  const prompt = messages.map((it) => (typeof it === 'string' ? user(it) : it))
  return deltas(await parts(prompt)).join('')
}
const finishOf = (all: readonly LanguageModelV4StreamPart[]) => all.find(({ type }) => type === 'finish')

t.test('answers from its instructions, its knowledge and the conversation, else it echoes', async (t) => {
  const known = system('You are Ada, a clerk.\nThe opening hours are nine to five.\nReturns take 30 days.')
  t.equal(await say(known, 'What are your opening hours?'), 'The opening hours are nine to five.')
  t.equal(await say(known, 'how long does a return take'), 'Returns take 30 days.')
  t.equal(await say(known, 'Hello there.'), 'You said: Hello there.')
  const talk = [
    user('My favourite colour is green.'),
    assistant('You said: My favourite colour is green.'),
    user('What is my favourite colour?'),
    assistant('My favourite colour is green.')
  ]
  t.equal(await say(known, ...talk, 'What is my favourite colour?'), 'My favourite colour is green.')
  t.match(await say(known, 'Where is the whale?'), /^I found nothing about that.*Where is the whale\?$/)
  const eager = system('You are a clerk. People are told:\nI can find a book for you.')
  t.equal(await say(eager, 'What can you do?'), 'I can find a book for you.')
  t.match(await say(`${'word '.repeat(200)}end`), /^You said: word .* … \(201 words\)$/)
  t.equal(await say(user('')), 'You said nothing.')
  t.match(await say(system('Nobody asked anything')), 'You said nothing.')
})

t.test('streams word by word, tells what it used, and is the same each time', async (t) => {
  const prompt = [system('12345678'), user('/say one two  three\n')]
  const all = await parts(prompt)
  t.same(
    all.map(({ type }) => type),
    [
      'stream-start',
      'response-metadata',
      'text-start',
      'text-delta',
      'text-delta',
      'text-delta',
      'text-end',
      'finish'
    ]
  )
  t.same(deltas(all), ['one', ' two', '  three'])
  t.match(finishOf(all), {
    finishReason: { unified: 'stop' },
    usage: {
      inputTokens: { total: 7, noCache: 7, cacheRead: 0 },
      outputTokens: { total: 4, text: 4, reasoning: 0 }
    }
  })
  t.same(await parts(prompt), all)
  const { content, usage } = await model.doGenerate({ prompt })
  t.same(content, [{ type: 'text', text: 'one two  three' }])
  t.equal(usage.outputTokens.total, 4)
})

t.test('calls tools when it is told to, and passes on what they say', async (t) => {
  const prompt = [user('/call search {"query":"tea"}\n/call clock')]
  const all = await parts(prompt)
  const calls = all.filter(({ type }) => type === 'tool-call')
  t.match(calls, [
    { toolName: 'search', input: '{"query":"tea"}' },
    { toolName: 'clock', input: '{}' }
  ])
  t.equal(new Set(calls.map((it) => 'toolCallId' in it && it.toolCallId)).size, 2)
  t.match(finishOf(all), { finishReason: { unified: 'tool-calls' } })
  t.same(await parts(prompt), all)

  const results: [unknown, string][] = [
    [{ type: 'text', value: 'Two teas.\n' }, 'Two teas.\n'],
    [{ type: 'json', value: { teas: 2 } }, '{"teas":2}'],
    [{ type: 'error-text', value: 'No tea' }, 'No tea'],
    [{ type: 'execution-denied', reason: 'too early' }, 'The call was denied: too early'],
    [{ type: 'content', value: [{ type: 'text', text: 'Tea' }] }, 'Tea']
  ]
  for (const [output, text] of results) t.equal(await say(...prompt, ...called('a', output)), text)
  const refused = await parts(prompt, { toolChoice: { type: 'none' } })
  t.equal(deltas(refused).join(''), 'I may not call search now.\nI may not call clock now.')
})

t.test('goes on with what comes after /then', async (t) => {
  const message = user('/call a {}\n/then\n/call b {}\n/then\n/say All done.')
  const once = [message, ...called('1', { type: 'text', value: 'first' })]
  const second = await parts(once)
  t.match(
    second.find(({ type }) => type === 'tool-call'),
    { toolName: 'b' }
  )
  const twice = [...once, ...called('2', { type: 'text', value: 'second' })]
  t.equal(await say(...twice), 'All done.')
  t.equal(await say(...twice, ...called('3', { type: 'text', value: 'third' })), 'third')
})

t.test('repeats, thinks and stops at its limit', async (t) => {
  t.same(deltas(await parts([user('/repeat 3 ha')])), ['ha', ' ha', ' ha'])
  const thinking = await model.doGenerate({ prompt: [user('/think Let me see.\nIt is late.')] })
  t.same(thinking.content, [
    { type: 'reasoning', text: 'Let me see.' },
    { type: 'text', text: 'You said: It is late.' }
  ])
  t.match(thinking.usage.outputTokens, { reasoning: 3 })
  const cut = await model.doGenerate({ prompt: [user('/repeat 100 ha')], maxOutputTokens: 2 })
  t.match(cut, { content: [{ text: 'ha ha ha' }], finishReason: { unified: 'length' } })
  t.equal(await say('/repeat x ha\n/unknown thing'), 'You said: /repeat x ha\n/unknown thing')
  const blank = ' '.repeat(200_000)
  t.equal(await say(`/say${blank}so\u2028`), 'so', 'white space is no burden')
  t.equal(await say(`/repeat 2${blank}ha`), 'ha ha')
  const json = await model.doGenerate({ prompt: [user('Hi.')], responseFormat: { type: 'json' } })
  t.same(json.content, [{ type: 'text', text: '{"answer":"You said: Hi."}' }])
})

t.test('an answer fits the schema that is asked for, and is the same each time', async (t) => {
  const answer = async (schema: object, text = 'Hi.') => {
    const prompt = [user(text)]
    const { content } = await model.doGenerate({ prompt, responseFormat: { type: 'json', schema } })
    const [said] = content
    return said?.type === 'text' ? JSON.parse(said.text) : said
  }
  const properties = {
    what: { type: 'string', maxLength: 8 },
    mood: { enum: ['calm', 'cross'] },
    kind: { const: 'note' },
    score: { type: 'integer', minimum: 3 },
    sure: { type: ['boolean', 'null'] },
    list: { items: { $ref: '#/$defs/tree' }, minItems: 2 },
    either: { anyOf: [{ type: 'null' }, { type: 'string' }] },
    tree: { $ref: '#/$defs/tree' }
  }
  const $defs = {
    tree: { properties: { next: { $ref: '#/$defs/tree' }, name: { type: 'string' } }, required: ['name'] }
  }
  const once = await answer({ type: 'object', properties, $defs })
  const tree = { name: 'You said: Hi.' }
  t.same(once, {
    what: 'You said',
    mood: 'calm',
    kind: 'note',
    score: 3,
    sure: true,
    list: [tree, tree],
    either: null,
    tree
  })
  t.same(await answer({ type: 'object', properties, $defs }), once)
  const endless = { type: 'object', properties: { more: { $ref: '#' } }, required: ['more'] }
  t.match(await answer(endless), { more: { more: {} } })
  t.same(await answer({ type: 'object' }, '/say {"own":1}'), { own: 1 })
})

t.test('fails as providers do: before the stream, or in the middle of it', async (t) => {
  const failing = async (text: string) => model.doStream({ prompt: [user(text)] })
  await t.rejects(failing('/fail The cat unplugged me'), {
    name: 'AI_APICallError',
    message: 'The cat unplugged me',
    statusCode: 500,
    isRetryable: true
  })
  await t.rejects(failing('/fail 400 No such thing'), {
    statusCode: 400,
    isRetryable: false,
    message: 'No such thing'
  })
  await t.rejects(failing('/fail 429'), { name: 'AI_APICallError', statusCode: 429, isRetryable: true })
  const half = await parts([user('/say Half a\n/fail 503 Gone')])
  t.equal(deltas(half).join(''), 'Half a')
  t.match(
    half.find(({ type }) => type === 'error'),
    { error: { statusCode: 503 } }
  )
  const generating = async () => model.doGenerate({ prompt: [user('/say Half a\n/fail Gone')] })
  await t.rejects(generating, { message: 'Gone' })
})

t.test('waits between deltas, until it is aborted or nobody listens', async (t) => {
  t.same(deltas(await parts([user('/wait 1\n/repeat 3 ha')])).length, 3)

  const aborting = new AbortController()
  const prompt = [user('/wait 50000\n/repeat 3 ha')]
  const { stream } = await model.doStream({ prompt, abortSignal: aborting.signal })
  const reader = stream.getReader()
  const seen: string[] = []
  while (!seen.includes('text-delta')) seen.push((await reader.read()).value?.type ?? 'end')
  const reason = new Error('enough')
  aborting.abort(reason)
  await t.rejects(reader.read(), reason)
  await t.rejects(async () => model.doStream({ prompt, abortSignal: aborting.signal }), reason)

  const left = (await model.doStream({ prompt })).stream.getReader()
  for (let type: string | undefined; type !== 'text-delta'; ) type = (await left.read()).value?.type
  await left.cancel()
  t.match(await left.read(), { done: true })
  const generating = async () => model.doGenerate({ prompt, abortSignal: AbortSignal.timeout(5) })
  await t.rejects(generating, { name: 'TimeoutError' })
})
