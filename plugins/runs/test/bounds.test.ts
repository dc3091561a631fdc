import { once } from 'node:events'
import t from 'tap'
import { askedLast, local, puppetStage, run, scripted, stage, streamed, tool, typesOf } from './testbed.ts'

t.test('a run takes so many steps and no more', async (t) => {
  const { ada, play } = await puppetStage(t, { env: { RUN_MAX_STEPS: '3' } })
  let calls = 0
  play.tools = () => [tool('again', async () => ({ output: ++calls }))]
  const agent = await ada.agent(local)
  const loop = Array(9).fill('/call again {}').join('\n/then\n')
  const { events, runId } = await streamed(ada, agent, loop)
  t.match(events.at(-1), { type: 'error', code: 'step_limit', message: /3 steps/ })
  t.equal(typesOf(events).filter((type) => type === 'agent_step').length, 3)
  t.equal(calls, 3)
  t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data, { status: 'failed' })
  t.match(await run(ada, agent, loop), { status: 502, body: { error: { code: 'step_limit' } } })
  const fitting = '/call again {}\n/then\n/call again {}\n/then\n/say Done'
  t.match(await run(ada, agent, fitting), { status: 200, body: { data: { content: 'Done' } } })
})

t.test('and so much time', async (t) => {
  const { server, ada } = await stage(t, { env: { RUN_SECONDS: '1' } })
  const agent = await ada.agent(scripted('tokens=100000&delay=20'))
  const left = once(server.events, 'left')
  const [{ events }, reply] = await Promise.all([streamed(ada, agent, 'Hello'), run(ada, agent, 'Hello')])
  await left
  t.match(events.at(-1), { type: 'error', code: 'run_timeout', message: /1 s/ })
  t.match(reply, { status: 504, body: { error: { type: 'upstream_timeout', code: 'run_timeout' } } })
})

t.test('the model is told that its arguments were no JSON, and the run goes on', async (t) => {
  const { server, ada, play } = await puppetStage(t)
  play.tools = () => [tool('dig', async () => ({ output: 'dug' }))]
  const agent = await ada.agent(scripted('tool=dig&badArgs=1&text=I see'))
  const { events } = await streamed(ada, agent, 'Dig')
  t.match(
    events.filter(({ type }) => type === 'toolStart'),
    [{ toolName: 'dig', args: null }]
  )
  t.match(
    events.filter(({ type }) => type === 'toolEnd'),
    [{ output: /JSON/, isError: true }]
  )
  t.match(events.at(-1), { type: 'final', content: 'I see' })
  t.match(askedLast(server).messages.at(-1), { role: 'tool', content: /JSON/ })
})
