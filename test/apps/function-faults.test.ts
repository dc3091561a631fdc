import t from 'tap'
import { run, streamed } from '../../plugins/runs/test/testbed.ts'
import { gate, refuses, stage } from './functions.ts'

const { booted, probe, install, agentWith, kill, ada } = await stage(t)

const act = 'return { said: await context.platform.probe.act({}) }'
await install(ada, 'fault-app', { once: act, again: act }, { again: { idempotent: true } })
const agent = await agentWith(ada, 'fault-app__once', 'fault-app__again')
/** Runs a function, and does that when it is in the middle of its first call; later ones pass. */
async function during(name: string, work: () => unknown) {
  let calls = 0
  const { reached, open, pass } = gate()
  probe.act = async () => {
    if (calls++ === 0) await pass()
    return calls
  }
  const running = streamed(ada, agent, `/call fault-app__${name} {}\n/then\n/say I go on`)
  await reached
  await work()
  open()
  const { events } = await running
  const { output, isError } = events.find(({ type }) => type === 'toolEnd') ?? {}
  return { output, isError, calls, content: events.at(-1)?.content }
}

t.test('a process that is killed in the middle', async (t) => {
  const unknown = /process ended while it ran.*outcome of the call is unknown/i
  t.match(await during('once', kill), { output: unknown, isError: true, calls: 1, content: 'I go on' })
  const again = { output: { said: 2 }, isError: false, calls: 2, content: 'I go on' }
  t.match(await during('again', kill), again, 'what may be repeated is')
})

t.test('an app that is turned off in the middle', async (t) => {
  await install(ada, 'off-app', {
    go: `await context.platform.probe.act({}); return context.platform.probe.act({}).then(() => 'did', ({ code }) => code)`
  })
  const { reached, open, pass } = gate()
  let calls = 0
  probe.act = async () => {
    calls++
    await pass()
    return null
  }
  const other = await agentWith(ada, 'off-app__go')
  const running = run(ada, other, '/call off-app__go {}')
  await reached
  t.match(await ada.put('/v1/ui-plugins/off-app/status', { status: 'off' }), { status: 200 })
  open()
  t.match((await running).body.data, { status: 'completed', content: 'app_not_enabled' })
  t.equal(calls, 1, 'nothing more was done for it')
})

t.test('packs are reloaded while calls run', async (t) => {
  for (const pack of ['app-functions', 'ui-plugins', 'tools']) {
    const made = await during('once', () => booted.admin.post(`/v1/packs/${pack}/reload`))
    t.match(made, { output: { said: 1 }, isError: false, calls: 1, content: 'I go on' }, pack)
  }
})

t.test('an app that is quarantined is neither offered nor called', async (t) => {
  await install(ada, 'bad-app', { go: act, fine: 'return 1' })
  const other = await agentWith(ada, 'bad-app__go', 'bad-app__fine')
  const isQuarantined = async () =>
    (await ada.get('/v1/ui-plugins/bad-app')).body.data.health.state === 'quarantined'
  while (!(await isQuarantined())) {
    const { reached, open, pass } = gate()
    probe.act = pass
    const call = { agentId: other.id, toolName: 'bad-app__go', args: {} }
    const calling = ada.post('/v1/agents/tools', call)
    await reached
    kill()
    open()
    await calling
  }
  const call = { agentId: other.id, toolName: 'bad-app__fine', args: {} }
  t.match(await ada.post('/v1/agents/tools', call), refuses(503, 'tool_unavailable'))
  const offered = await ada.get(`/v1/runtime/agents/${other.id}/tools`)
  t.same(offered.body.data, [])
  t.match((await run(ada, agent, '/call fault-app__again {}')).body.data, { status: 'completed' })
})
