import t from 'tap'
import { askedLast, local, messagesOf, puppetStage, run, scripted, streamed, tool } from './testbed.ts'

const { server, ada, play } = await puppetStage(t, { env: { RUN_MAX_CHARACTERS: '60000' } })
const agent = await ada.agent(local)
const sessionOf = async (runId: string) => (await ada.get(`/v1/agents/runs/${runId}`)).body.data

t.test('a failed run keeps what it said before the failure', async (t) => {
  const failing = await streamed(ada, agent, '/say First, open the lid.\n/fail 500 Gone')
  t.match(failing.events.at(-1), { type: 'error' })
  const { sessionId, content, status } = await sessionOf(failing.runId)
  t.match({ content, status }, { content: 'First, open the lid.', status: 'failed' })
  t.match(await messagesOf(ada, sessionId), [
    { role: 'user' },
    { role: 'assistant', content: 'First, open the lid.', runId: failing.runId }
  ])
})

t.test('a later run of the session knows it', async (t) => {
  const model = await ada.agent(scripted('text=First open the lid&cutAt=3&times=1&run=lid'))
  const failing = await streamed(ada, model, 'How?')
  t.match(failing.events.at(-1), { type: 'error' })
  const { sessionId, content } = await sessionOf(failing.runId)
  t.match(content, /^First open/)
  await run(ada, model, 'Go on', { sessionId })
  t.same(
    askedLast(server).messages.map(({ role, content }) => [role, content]),
    [
      ['user', 'How?'],
      ['assistant', content],
      ['user', 'Go on']
    ]
  )
})

t.test('text and calls of earlier steps are kept, too', async (t) => {
  play.tools = () => [tool('look', async () => ({ output: 'sky' }))]
  const script = '/say Let me see\n/call look {}\n/then\n/say Blue, and\n/fail 400 Gone'
  const { runId } = await streamed(ada, agent, script)
  const { sessionId } = await sessionOf(runId)
  t.match((await messagesOf(ada, sessionId)).slice(1), [
    { role: 'assistant', content: 'Let me see', toolCalls: [{ toolName: 'look' }] },
    { role: 'tool', content: 'sky' },
    { role: 'assistant', content: 'Blue, and' }
  ])
  play.tools = () => []
})

t.test('a failed run that said nothing adds no message', async (t) => {
  const { runId } = await streamed(ada, agent, '/fail 400 Gone')
  const { sessionId, content } = await sessionOf(runId)
  t.equal(content, null)
  t.equal((await messagesOf(ada, sessionId)).length, 1)
})

t.test('a reply that was cut because it was too long keeps its beginning and its end', async (t) => {
  const { runId, events } = await streamed(ada, agent, '/repeat 200 BEGIN\n/repeat 20000 word')
  t.match(events.at(-1), { type: 'error', code: 'output_limit' })
  const { sessionId, content } = await sessionOf(runId)
  t.ok(content.length > 50_000, 'the record has all of it')
  const [, said] = await messagesOf(ada, sessionId)
  t.match(said?.content, /^BEGIN.*word\s+\[\d+ of \d+ characters were not kept\]\s+.*word/s)
  t.ok(said && said.content.length < 41_000, `${said?.content.length} characters`)
})
