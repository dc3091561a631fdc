import t from 'tap'
import { run, streamed } from '../../plugins/runs/test/testbed.ts'
import { refuses, stage } from './functions.ts'

const { booted, install, toolsOf, agentWith, ada, eve } = await stage(t)

const sum = {
  input: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    additionalProperties: false
  },
  description: 'Adds two numbers',
  idempotent: true
}

t.test('an agent calls a function of an app', async (t) => {
  const functions = {
    sum: 'return { total: input.a + input.b }',
    whose: 'return context.about',
    fail: 'throw new Error("No such city")',
    hidden: 'return 1'
  }
  await install(ada, 'desk-app', functions, { sum, hidden: { tool: false } })
  const tools = await toolsOf(ada)
  t.same([...tools.keys()].sort(), ['desk-app__fail', 'desk-app__sum', 'desk-app__whose'])
  t.match(tools.get('desk-app__sum'), {
    kind: 'app',
    owner: 'ada',
    description: 'Adds two numbers',
    parameters: sum.input,
    config: { pluginId: 'desk-app', function: 'sum' },
    idempotent: true,
    available: true
  })

  const agent = await agentWith(ada, 'desk-app__sum', 'desk-app__whose', 'desk-app__fail')
  t.match((await run(ada, agent, '/call desk-app__sum {"a":20,"b":22}')).body.data, {
    status: 'completed',
    content: '{"total":42}'
  })
  const told = (await run(ada, agent, '/call desk-app__whose {}')).body.data
  t.same(JSON.parse(told.content), { callerId: 'ada', agentId: agent.id, runId: told.id })
  const { body } = await ada.get(`/v1/tools/calls?agentId=${agent.id}`)
  t.match(
    body.data.map(({ toolName }: { toolName: string }) => toolName),
    ['desk-app__whose', 'desk-app__sum']
  )

  const { events } = await streamed(ada, agent, '/call desk-app__fail {}\n/then\n/say Then not')
  t.match(
    events.find(({ type }) => type === 'toolEnd'),
    { isError: true, output: 'No such city' }
  )
  t.match(events.at(-1), { type: 'final', content: 'Then not' })
  const failed = (await ada.get(`/v1/tools/calls?agentId=${agent.id}&limit=1`)).body.data[0]
  t.match(failed, { toolName: 'desk-app__fail', status: 'failed' })
  const [counted] = failed.usage.filter(({ meter }: { meter: string }) => meter === 'app.functionCalls')
  t.match(counted, { quantity: '1' }, 'what it took is in its record all the same')

  const invoke = (args: object) =>
    ada.post('/v1/agents/tools', { agentId: agent.id, toolName: 'desk-app__sum', args })
  t.match(await invoke({ a: 1 }), { status: 400 })
})

t.test('those use it who may use the app', async (t) => {
  const functions = { whose: 'return context.about.callerId' }
  await install(ada, 'shared-app', functions)
  t.notOk((await toolsOf(eve)).has('shared-app__whose'))
  const toolId = (await toolsOf(ada)).get('shared-app__whose')?.id as string
  await t.rejects(agentWith(eve, toolId), /not_owner|not_granted/)

  const open = await booted.admin.put('/v1/ui-plugins/shared-app/status', {
    status: 'enabled',
    audience: 'project'
  })
  t.match(open, { status: 200 })
  await booted.settled()
  const hers = await agentWith(eve, toolId)
  t.match((await run(eve, hers, '/call shared-app__whose {}')).body.data, { content: 'eve' })

  const closed = await ada.put('/v1/ui-plugins/shared-app/status', { status: 'enabled', audience: 'owner' })
  t.match(closed, { status: 200 })
  const call = { agentId: hers.id, toolName: 'shared-app__whose', args: {} }
  const early = await eve.post('/v1/agents/tools', call)
  // At once, whether the list of tools has followed or not.
  if (early.status === 200)
    t.match(early.body.data, { isError: true, output: 'You do not have access to this app' })
  else t.match(early, refuses(403, 'tool_denied'))
  await booted.settled()
  t.match(await eve.post('/v1/agents/tools', call), refuses(403, 'tool_denied'))
})
