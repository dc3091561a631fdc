import t from 'tap'
import {
  askedLast,
  listen,
  messagesOf,
  RUN,
  run,
  STREAM,
  saying,
  scripted,
  stage,
  streamed
} from './testbed.ts'

const user = (content: string) => ({ role: 'user', content })

t.test('of a long session a model is told the newest messages, and how many are left out', async (t) => {
  const { server, ada } = await stage(t, { env: { RUN_CONTEXT_MESSAGES: '6', RUN_COMPACT_AT: '1' } })
  const agent = await ada.agent({ ...scripted('reply=echo'), instructions: 'Be brief.' })
  const { sessionId } = (await run(ada, agent, 'turn 0')).body.data
  for (let turn = 1; turn < 10; turn++) await run(ada, agent, `turn ${turn}`, { sessionId })
  t.equal((await messagesOf(ada, sessionId)).length, 20, 'all are kept')
  await run(ada, agent, 'turn 10', { sessionId })
  const [system, ...told] = askedLast(server).messages
  t.same(
    told.map(({ content }) => content),
    ['turn 8', 'turn 8', 'turn 9', 'turn 9', 'turn 10'],
    'they begin with a message of the user'
  )
  t.equal(system?.content, 'Be brief.\n\n(16 earlier messages of this conversation are left out.)')

  const messages = Array.from({ length: 10 }, (_, turn) => user(`turn ${turn}`))
  await ada.post(RUN, { agentId: agent.id, messages })
  t.match(askedLast(server).messages[1]?.content, { length: 6 }, 'a new session is no exception')
  t.match(askedLast(server).messages[0], { content: /\(4 earlier messages/ })
})

t.test('and no more than there is room for', async (t) => {
  const { booted, server, ada } = await stage(t, { env: { RUN_CONTEXT_TOKENS: '512', RUN_COMPACT_AT: '1' } })
  const agent = await ada.agent(scripted('text=ok'))
  const told = () => askedLast(server).messages
  const size = () => told().reduce((sum, { content }) => sum + String(content).length, 0)
  const { sessionId } = (await run(ada, agent, 'a'.repeat(100))).body.data
  t.equal(told().length, 1, 'what fits is told whole')
  for (const letter of 'bcdefghijklmn') await run(ada, agent, letter.repeat(100), { sessionId })
  t.match(told()[0], { role: 'system', content: /^\(\d+ earlier messages/ })
  t.match(told().at(-1), user('n'.repeat(100)))
  t.ok(told().length > 5 && told().length < 20, `${told().length} messages`)
  t.ok(size() < 1_000, `${size()} characters`)

  const long = `begin ${'x'.repeat(1_500)} end`
  const tooLong = { status: 400, body: { error: { param: '/messages/0/content', code: 'context_exceeded' } } }
  t.match(await run(ada, agent, long, { sessionId }), tooLong, 'what does not fit is refused, never cut')
  t.match(await streamed(ada, agent, long), tooLong)

  const frugal = await ada.agent({ ...scripted('text=ok'), maxTokens: 10 })
  await run(ada, frugal, long)
  t.match(told().at(-1), user(long), 'a short reply leaves more room')
  const wordy = await ada.agent({ ...scripted('text=ok'), instructions: 'i'.repeat(5_000) })
  await run(ada, wordy, 'Who are you?')
  t.match(told().at(-1), user('Who are you?'), 'whatever the instructions take')

  const cramped = await run(ada, wordy, 'w'.repeat(800))
  t.match(cramped, { status: 400, body: { error: { code: 'context_exceeded' } } }, 'beside its instructions')

  const stream = await listen(booted, ada, STREAM, saying(agent, 'Short', { sessionId }))
  await stream.rest()
  t.match(told().at(-1), user('Short'))
})

t.test('nobody is told of messages that were never there', async (t) => {
  const { booted, server, ada } = await stage(t)
  const agent = await ada.agent(scripted('reply=echo&ttft=20'))
  const first = await listen(booted, ada, STREAM, saying(agent, 'one'))
  const { sessionId } = await first.until('run_started')
  const others = ['two', 'three'].map((content) => run(ada, agent, content, { sessionId }))
  t.match(await Promise.all(others), [{ status: 200 }, { status: 200 }])
  await run(ada, agent, 'four', { sessionId })
  const { messages } = askedLast(server)
  t.same(
    messages.map(({ role }) => role),
    ['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user']
  )
})
