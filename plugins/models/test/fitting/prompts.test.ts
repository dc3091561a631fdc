import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import type {
  LanguageModelV4,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart
} from '@ai-sdk/provider'
import t from 'tap'
import { requestOf } from '../../chat-completions/request.ts'
import { fitted } from '../../fitting/fitted.ts'
import { fittedPrompt } from '../../fitting/prompt.ts'
import { rulesOf } from '../../fitting/prompt-rules.ts'
import { randomBy, randomHistory } from './random-histories.ts'
import {
  anthropicRules,
  converseRules,
  geminiRules,
  mistralRules,
  openaiRules,
  templateRules
} from './vendor-rules.ts'

type Body = Record<string, unknown>
type Model = LanguageModelV4

const user = (...texts: string[]): LanguageModelV4Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text }))
})
const assistant = (text: string): LanguageModelV4Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }]
})
const calling = (toolCallId: string, input: unknown = {}): LanguageModelV4Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId, toolName: 'look', input }]
})
const resultOf = (toolCallId: string, value = 'seen'): LanguageModelV4ToolResultPart => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'look',
  output: { type: 'text', value }
})
const result = (toolCallId: string, value?: string): LanguageModelV4Message => ({
  role: 'tool',
  content: [resultOf(toolCallId, value)]
})
const fit = (prompt: LanguageModelV4Prompt, provider = 'any', images = true) =>
  fittedPrompt(prompt, rulesOf(provider), images)
const rolesOf = (prompt: LanguageModelV4Prompt) => prompt.map(({ role }) => role).join(' ')

/** The body that a vendor’s client sends for a prompt. */
async function sent(make: (own: typeof fetch) => Model, prompt: LanguageModelV4Prompt): Promise<Body> {
  let body: Body = {}
  const model = fitted(
    make(async (_url, init) => {
      body = JSON.parse(String(init?.body))
      throw new Error('enough')
    })
  )
  await Promise.resolve(model.doGenerate({ prompt })).catch(() => undefined)
  return body
}
const anthropic = (own: typeof fetch) => createAnthropic({ apiKey: 'k', fetch: own })('claude-sonnet-4-5')
const google = (own: typeof fetch) => createGoogle({ apiKey: 'k', fetch: own })('gemini-2.5-flash')

/** The body of chat completions, for a provider of that name. */
const chatBody = (prompt: LanguageModelV4Prompt, provider: string): Body => {
  let body: Body = {}
  const model = {
    specificationVersion: 'v4',
    provider,
    modelId: 'any',
    supportedUrls: {},
    doGenerate: async (call) => {
      body = JSON.parse(
        JSON.stringify(
          requestOf('any', { modelProvider: provider, openai: provider === 'openai' }, call).body
        )
      )
      throw new Error('enough')
    }
  } as Partial<Model> as Model
  void fitted(model)
    .doGenerate({ prompt })
    .then(undefined, () => undefined)
  return body
}

/** Bedrock groups messages as Anthropic does: results are the user's, and neighbors of a role are one message. */
function converseBody(prompt: LanguageModelV4Prompt): Body {
  const messages: { role: string; content: object[] }[] = []
  for (const { role, content } of fit(prompt, 'amazon-bedrock')) {
    if (role === 'system') continue
    const own = role === 'assistant' ? 'assistant' : 'user'
    const blocks = (content as unknown as readonly Record<string, unknown>[]).map((part) => {
      if (part.type === 'tool-call')
        return { type: 'tool_use', id: part.toolCallId, name: 'look', input: part.input }
      const { output } = part as { output?: { value: string } }
      return part.type === 'tool-result'
        ? { type: 'tool_result', tool_use_id: part.toolCallId, content: output?.value }
        : { ...part, type: part.type === 'reasoning' ? 'thinking' : part.type }
    })
    if (messages.at(-1)?.role === own) messages.at(-1)?.content.push(...blocks)
    else messages.push({ role: own, content: blocks })
  }
  return { messages }
}

t.test('any history becomes a prompt that every vendor accepts', async (t) => {
  const check = (vendor: string, seed: number, broken: readonly string[], body: Body) => {
    if (broken.length > 0)
      t.fail(`${vendor}, seed ${seed}: ${[...new Set(broken)].join(', ')}`, { body: JSON.stringify(body) })
  }
  let messages = 0
  for (let seed = 1; seed <= 400; seed++) {
    const history = (provider: string) => randomHistory(randomBy(seed), provider)
    const bodies = [
      ['Anthropic', anthropicRules, await sent(anthropic, history('anthropic'))],
      ['Gemini', geminiRules, await sent(google, history('google'))],
      ['OpenAI', openaiRules, chatBody(history('openai'), 'openai')],
      ['Mistral', mistralRules, chatBody(history('mistral'), 'mistral')],
      ['a strict template', templateRules, chatBody(history('openai-compatible'), 'openai-compatible')],
      ['Bedrock', converseRules, converseBody(history('amazon-bedrock'))]
    ] as const
    for (const [vendor, rules, body] of bodies) {
      messages += ((body.messages ?? body.contents) as unknown[]).length
      check(vendor, seed, rules(body), body)
    }
  }
  t.ok(messages > 400 * 6 * 3, `${messages} messages`)
})

t.test('the checks refuse what vendors refuse', async (t) => {
  const chat = (...messages: object[]) => ({ messages })
  t.match(mistralRules(chat({ role: 'user', content: 'a' }, { role: 'user', content: 'b' })), [
    /'user' after/
  ])
  t.match(templateRules(chat({ role: 'assistant', content: 'a' })), [/must alternate/])
  t.match(openaiRules(chat({ role: 'tool', tool_call_id: 'a', content: 'b' })), [/without its call/])
  t.match(anthropicRules(chat({ role: 'user', content: [{ type: 'text', text: '\n' }] })), [/non-whitespace/])
  t.match(geminiRules({ contents: [{ role: 'model', parts: [{ text: 'a' }] }] }), [/first turn/, /last turn/])
  t.match(
    converseRules(chat({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '' }] })),
    [/unexpected/, /blank/]
  )
})

t.test('merges consecutive messages of one role', async (t) => {
  const prompt = fit([user('one'), user('two'), assistant('three'), assistant('four'), user('five')])
  t.strictSame(prompt, [
    user('one', 'two'),
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'three' },
        { type: 'text', text: '\n\nfour' }
      ]
    },
    user('five')
  ])
  const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }
  t.match(
    fit([{ ...user('one'), providerOptions: cached } as LanguageModelV4Message, user('two')], 'anthropic'),
    [{ content: [{ text: 'one', providerOptions: cached }, { text: 'two' }] }],
    'options of a message stay at its end'
  )
  t.equal(rolesOf(fit([user('one'), user('two')], 'openai')), 'user user', 'OpenAI accepts them')
})

t.test('begins and ends with a message of the user', async (t) => {
  t.equal(rolesOf(fit([assistant('Hi'), user('Hello')])), 'user assistant user')
  t.equal(
    rolesOf(
      fit([
        { role: 'system', content: 'Be kind' },
        calling('a'),
        result('a'),
        assistant('Done'),
        user('More')
      ])
    ),
    'system user assistant tool assistant user'
  )
  t.equal(rolesOf(fit([user('Hello'), assistant('Hi')])), 'user assistant user')
  t.equal(
    rolesOf(fit([user('Go'), calling('a'), result('a'), user('And?')])),
    'user assistant tool assistant user',
    'a run that ended after its calls has an answer'
  )
})

t.test('keeps each call together with its result', async (t) => {
  const [, call, results, , last] = fit([
    user('Go'),
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} },
        { type: 'tool-call', toolCallId: 'b', toolName: 'look', input: {} }
      ]
    },
    result('lost'),
    result('b'),
    user('And?')
  ])
  t.match(call, { content: [{ toolCallId: 'a' }, { toolCallId: 'b' }] })
  t.match(results, {
    content: [
      { toolCallId: 'a', output: { type: 'error-text', value: /not recorded/ } },
      { toolCallId: 'b', output: { value: 'seen' } }
    ]
  })
  t.match(last, user('And?'))
})

t.test('gives calls of one ID different IDs, each with its own result', async (t) => {
  const turn = (value: string) => [user('Go'), calling('call_0'), result('call_0', value), assistant('Done')]
  const prompt = fit([...turn('first'), ...turn('second'), user('End')])
  const calls = prompt.flatMap(({ role, content }) => (role === 'assistant' ? content : []))
  const ids = calls.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []))
  t.equal(ids[0], 'call_0')
  t.match(ids[1], /^[A-Za-z0-9]{9}$/)
  const results = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []))
  t.match(results, [
    { toolCallId: ids[0], output: { value: 'first' } },
    { toolCallId: ids[1], output: { value: 'second' } }
  ])
  const [, own] = fit([user('Go'), calling('call_0'), result('call_0')], 'mistral')
  t.match(own, { content: [{ toolCallId: /^[A-Za-z0-9]{9}$/ }] })
})

t.test('leaves out blank text, and replies that say nothing', async (t) => {
  t.strictSame(fit([user('One'), assistant('\n\n'), user('Two')]), [user('One', 'Two')])
  t.match(fit([user('  ')]), [user('(empty message)')])
  const signed = {
    role: 'assistant' as const,
    content: [
      { type: 'text' as const, text: '', providerOptions: { google: { thoughtSignature: 'c2ln' } } },
      { type: 'text' as const, text: 'Yes' }
    ]
  }
  t.match(fit([user('One'), signed, user('Two')], 'google')[1], signed, 'data of the provider is kept')
})

t.test('replaces images that the model does not accept', async (t) => {
  const prompt: LanguageModelV4Prompt = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } }
      ]
    }
  ]
  t.strictSame(fit(prompt), prompt)
  t.match(fit(prompt, 'any', false), [
    { content: [{ text: 'Look' }, { type: 'text', text: /not accept images/ }] }
  ])
})

t.test('puts system text first', async (t) => {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: 'One' },
    user('Hello'),
    { role: 'system', content: 'Two' },
    user('You?')
  ]
  t.strictSame(fit(prompt), [{ role: 'system', content: 'One\n\nTwo' }, user('Hello', 'You?')])
  t.equal(rolesOf(fit(prompt, 'anthropic')), 'system system user')
})

t.test('the prompt for a history is the beginning of that for a longer one', async (t) => {
  const history = [user('One'), calling('a'), result('a'), assistant('Done'), user('Two')]
  const short = fit(history)
  const long = fit([...history, calling('a'), result('a', 'more')])
  t.strictSame(long.slice(0, short.length), short, 'so that caches of prompts serve it')
})
