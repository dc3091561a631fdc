// budget: 8 s, because sessions grow beyond windows of several sizes
import t from 'tap'
import type { Words } from '../../sessions/contract.ts'
import { budgetFor, newestOf, tokensOf } from '../execute/context-budget.ts'
import { tokensIn } from '../execute/token-estimate.ts'
import { askedLast, run, scripted, stage, streamed } from './testbed.ts'

const sizes = { contextTokens: null, outputTokens: null }

t.test('counts tokens by the script of a text', async (t) => {
  const per = (text: string) => tokensIn(text) / text.length
  for (const [text, least, most] of [
    ['The weather is fine today, and it stays so.', 0.2, 0.35],
    ['今天天气怎么样我想知道明天会不会下雨', 0.8, 1.2],
    ['きょうのてんきはどうですか', 0.7, 1.2],
    ['오늘날씨가어때요내일비가올까요', 0.6, 1.2],
    ['Сегоднякакаяпогода', 0.3, 0.6],
    ['كيفالطقساليوم', 0.4, 0.8],
    ['วันนี้อากาศเป็นอย่างไร', 0.5, 1],
    ['आजमौसमकैसाहै', 0.5, 1]
  ] as const)
    t.ok(per(text) >= least && per(text) <= most, `${text}: ${per(text)} a character`)
  t.ok(tokensIn('🙂'.repeat(10)) >= 10, 'emoji')
})

t.test('uses the window of the model, less a reserve for the response', async (t) => {
  const whole = { contextTokens: 1_047_576, outputTokens: 32_768 }
  const of = (set: number | undefined, model = whole, maxTokens: number | null = null) =>
    budgetFor({ contextTokens: set } as never, model, maxTokens)
  t.match(of(undefined), { window: 1_047_576, tokens: 1_047_576 - 32_000, limit: 'model' })
  t.match(of(20_000), { window: 20_000, tokens: 20_000 - 4_096, limit: 'setting' })
  t.match(of(undefined, sizes as never), { window: 32_000, limit: 'unknown' })
  t.match(of(undefined, whole, 1_000), { tokens: 1_046_576 })
  t.match(of(undefined, { contextTokens: 4_096, outputTokens: 4_096 }), { tokens: 2_048 })
})

t.test('begins the history with a message of the user', async (t) => {
  const said = (role: 'user' | 'assistant', content: string): Words => ({ role, content })
  const turns = Array.from({ length: 10 }, (_, n) => [
    said('user', `question ${n} ${'x'.repeat(100)}`),
    said('assistant', `answer ${n} ${'y'.repeat(100)}`)
  ]).flat()
  const messages = [...turns, said('user', 'last')]
  const whole = messages.reduce((sum, it) => sum + tokensOf(it), 0)
  for (let tokens = 0; tokens <= whole; tokens += 7) {
    const kept = newestOf(messages, tokens)
    t.equal(kept[0]?.role, 'user', `${tokens} tokens`)
    t.equal(kept.at(-1), messages.at(-1))
  }
  const call: Words = {
    role: 'assistant',
    content: '',
    toolCalls: [{ callId: 'call_1', toolName: 'look', args: {} }]
  }
  const result: Words = {
    role: 'tool',
    content: 'z'.repeat(500),
    callId: 'call_1',
    toolName: 'look',
    isError: false
  }
  const open = [said('user', 'Look'), call, result]
  t.same(newestOf(open, 20), open, 'the question of the last calls is there, whatever it takes')
})

t.test('sends a model no more than its window, in any script', async (t) => {
  const window = 8_192
  const { server, ada } = await stage(t, { env: { RUN_CONTEXT_TOKENS: String(window) } })
  const agent = await ada.agent(scripted('text=好的。'))
  let sessionId: string | undefined
  for (let turn = 0; turn < 12; turn++) {
    const reply = await run(ada, agent, '今天天气怎么样我想知道明天会不会下雨'.repeat(55), {
      ...(sessionId && { sessionId })
    })
    sessionId = reply.body.data.sessionId
    const text = JSON.stringify(askedLast(server).messages)
    t.ok(text.length < window, `turn ${turn}: ${text.length} characters`)
  }
  t.ok(askedLast(server).messages.length > 4, 'and as much as fits')
})

t.test('counts the definitions of tools', async (t) => {
  const { server, ada } = await stage(t, { env: { RUN_CONTEXT_TOKENS: '8192' } })
  const agent = await ada.agent(scripted('text=ok'))
  const cliTools = Array.from({ length: 10 }, (_, n) => ({
    name: `tool_${n}`,
    description: 'd'.repeat(1_000),
    parameters: { type: 'object' }
  }))
  let sessionId: string | undefined
  for (let turn = 0; turn < 8; turn++)
    sessionId = (await run(ada, agent, 'w'.repeat(2_000), { cliTools, ...(sessionId && { sessionId }) })).body
      .data.sessionId
  const { messages, tools } = askedLast(server)
  const characters = JSON.stringify(messages).length + JSON.stringify(tools).length
  t.ok(characters < (8_192 - 4_096) * 3.5 * 1.1, `${characters} characters`)
})

t.test('shortens a prompt that the provider rejects for its length, and remembers the size', async (t) => {
  let most = 9_000
  const refusals: number[] = []
  const { server, ada } = await stage(t, {
    respond: ({ body }, response) => {
      const { length } = JSON.stringify(body.messages)
      if (length <= most) return
      refusals.push(length)
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          error: {
            message: 'the request exceeds the available context size',
            type: 'exceed_context_size_error'
          }
        })
      )
    }
  })
  const agent = await ada.agent(scripted('text=ok'))
  let sessionId: string | undefined
  for (let turn = 0; turn < 10; turn++) {
    const reply = await run(ada, agent, 'w'.repeat(2_000), { ...(sessionId && { sessionId }) })
    t.match(reply, { status: 200, body: { data: { status: 'completed' } } }, `turn ${turn}`)
    sessionId = reply.body.data.sessionId
  }
  t.equal(refusals.length, 1, 'later prompts fit at once')
  const said = await streamed(ada, agent, 'w'.repeat(12_000))
  t.match(said.text, /context_exceeded/, 'what can never fit has a code of its own')
  most = 300
  const other = await ada.agent({ ...scripted('text=ok&other=1'), instructions: 'i'.repeat(400) })
  t.match(await run(ada, other, 'Hello'), { status: 400, body: { error: { code: 'context_exceeded' } } })
  most = 9_000
  t.match(await run(ada, other, 'w'.repeat(3_000)), { status: 200 }, 'nothing is learned from a short prompt')
  t.ok(server.stats.requests < 40, 'and is not tried for long')
})

t.test('counts as the provider does, by the usage that it reports', async (t) => {
  const { server, ada } = await stage(t, {
    env: { RUN_CONTEXT_TOKENS: '8192' },
    respond: ({ body }, response) => {
      // A tokenizer that needs a token for two characters.
      const prompt_tokens = Math.ceil(JSON.stringify(body.messages).length / 2)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const chunk = (fields: object) =>
        response.write(`data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...fields })}\n\n`)
      chunk({ choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' }] })
      chunk({ choices: [], usage: { prompt_tokens, completion_tokens: 1, total_tokens: prompt_tokens + 1 } })
      response.end('data: [DONE]\n\n')
    }
  })
  const agent = await ada.agent(scripted())
  let sessionId: string | undefined
  for (let turn = 0; turn < 12; turn++)
    sessionId = (await run(ada, agent, 'w'.repeat(1_500), { ...(sessionId && { sessionId }) })).body.data
      .sessionId
  const tokens = JSON.stringify(askedLast(server).messages).length / 2
  t.ok(tokens < 8_192 - 4_096 + 200, `${tokens} tokens`)
})
