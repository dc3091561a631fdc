import t from 'tap'
import {
  assign,
  execute,
  executed,
  once,
  outline,
  scripted,
  stage,
  stepOf,
  transform,
  waits,
  workflowOf
} from './testbed.ts'

const scene = await stage(t, { env: { WORKFLOW_MAX_DEPTH: '2', WORKFLOW_MAX_TOKENS: '40' } })
const { ada, play, booted } = scene
const agentStep = (config: object, fields: object = {}) => ({ id: 'ask', type: 'agent', config, ...fields })
const schema = { type: 'object', properties: { spam: { type: 'boolean' } }, required: ['spam'] }

t.test('an agent answers in a run of its own', async (t) => {
  const { id: agentId } = await ada.agent(scripted('text=Hello'))
  const execution = await executed(
    scene,
    [
      agentStep({ agentId, prompt: 'Greet {{ input.name }}' }),
      transform('said', '{{ steps.ask.output & "!" }}', { dependsOn: ['ask'] })
    ],
    { input: { name: 'Bob' } }
  )
  t.match(execution, { status: 'completed', output: { said: 'Hello!' }, cost: { outputTokens: Number } })
  const step = stepOf(execution, 'ask')
  t.match(step, { input: { agentId, prompt: 'Greet Bob' }, cost: { inputTokens: Number } })
  const run = (await ada.get(`/v1/agents/runs/${step?.runId}`)).body.data
  t.match(run, { status: 'completed', content: 'Hello', agentId })
  const unknown = await executed(scene, [agentStep({ agentId: '{{ input }}', prompt: 'x' })], {
    input: 'agent_nope'
  })
  t.match(unknown, { status: 'failed', error: { code: 'notFound' } })
})

t.test('an answer has to fit its schema, and is asked for again once', async (t) => {
  const fits = await ada.agent(scripted('text={"spam":true}'))
  t.match(await executed(scene, [agentStep({ agentId: fits.id, prompt: 'Is it?', output: schema })]), {
    output: { ask: { spam: true } }
  })
  const { id: agentId } = await ada.agent(scripted('text={"spam":"no"}'))
  const failed = await executed(scene, [agentStep({ agentId, prompt: 'Is it?', output: schema })])
  t.match(failed, { status: 'failed', error: { code: 'output_invalid', message: /\/spam must be boolean/ } })
  const asked = scene.server.requests.filter(({ body }) => JSON.stringify(body).includes('Answer again'))
  t.equal(asked.length, 1)
})

t.test('a tool is called as the agent that has it', async (t) => {
  const { id: agentId } = await ada.agent()
  await assign(ada, { id: agentId }, 'once')
  play.tool = async ({ args }) => ({ output: { got: args } })
  const call = { id: 'call', type: 'tool', config: { agentId, tool: 'once', args: { n: '{{ input.n }}' } } }
  t.match(await executed(scene, [call], { input: { n: 3 } }), { output: { call: { got: { n: 3 } } } })
  play.tool = async () => ({ output: 'Out of stock', isError: true })
  t.match(await executed(scene, [call], { input: { n: 3 } }), {
    status: 'failed',
    error: { code: 'tool_failed', message: 'call: Out of stock' }
  })
  const other = await ada.agent()
  const others = { ...call, config: { agentId: '{{ input }}', tool: 'once' } }
  t.match(await executed(scene, [others], { input: other.id }), { error: { code: 'tool_not_assigned' } })
})

t.test('a workflow executes another one, so deep and no deeper', async (t) => {
  const inner = await workflowOf(ada, [transform('twice', '{{ input.n * 2 }}')])
  const nest = (workflowId: string, input: unknown) => [
    { id: 'nested', type: 'workflow', config: { workflowId, input } }
  ]
  const outer = await executed(scene, nest(inner, { n: '{{ input.n + 1 }}' }), { input: { n: 1 } })
  t.match(outer, { status: 'completed', output: { nested: { twice: 4 } } })
  const { executionId } = stepOf(outer, 'nested') ?? {}
  t.match((await ada.get(`/v1/workflows/${inner}/executions/${executionId}`)).body.data, {
    parentId: outer.id,
    status: 'completed'
  })
  let workflowId = inner
  for (let depth = 0; depth < 3; depth++) workflowId = await workflowOf(ada, nest(workflowId, { n: 1 }))
  const deep = await once(scene, ada, await execute(ada, workflowId))
  t.match(deep, { status: 'failed', error: { code: 'too_deep' } })

  const asks = await workflowOf(ada, [{ id: 'ok', type: 'approval', config: { message: 'Well?' } }])
  const waiting = await once(scene, ada, await execute(ada, await workflowOf(ada, nest(asks, {}))), waits)
  const below = `/v1/workflows/${asks}/executions/${stepOf(waiting, 'nested')?.executionId}`
  await once(scene, ada, { path: below }, waits)
  t.match(await ada.post(`${below}/reject`, {}), { status: 200 })
  t.match(await once(scene, ada, waiting), { status: 'failed', error: { code: 'rejected' } })
})

t.test('agents of a tree of executions cost so much and no more', async (t) => {
  const { id: agentId } = await ada.agent(scripted('text=Hello'))
  const asks = (id: string, dependsOn: string[] = []) => ({
    ...agentStep({ agentId, prompt: 'x' }),
    id,
    dependsOn
  })
  const first = await executed(scene, [asks('one')])
  const { inputTokens = 0, outputTokens = 0 } = first.cost ?? {}
  t.ok(inputTokens + outputTokens > 0)
  const count = Math.ceil(40 / (inputTokens + outputTokens)) + 2
  const many = Array.from({ length: count }, (_, n) => asks(`ask${n}`, n > 0 ? [`ask${n - 1}`] : []))
  const execution = await executed(scene, many)
  t.match(execution, { status: 'failed', error: { code: 'cost_exceeded' } })
  t.ok(outline(execution).length < count)
})

t.test('agents side by side pass the cap by one run', async (t) => {
  const { id: agentId } = await ada.agent(scripted('text=Hello'))
  const each = { items: '{{ [1..30] }}', concurrency: 30, steps: [agentStep({ agentId, prompt: 'x' })] }
  const execution = await executed(scene, [{ id: 'each', type: 'forEach', config: each }])
  t.match(execution, { status: 'failed', error: { code: 'cost_exceeded' } })
  const costs = execution.steps.flatMap(({ type, cost }) =>
    type === 'agent' && cost ? [cost.inputTokens + cost.outputTokens] : []
  )
  const spent = costs.reduce((sum, cost) => sum + cost, 0)
  t.ok(spent >= 40 && spent - (costs.at(-1) ?? 0) < 40, `${costs}`)
})

t.test('what steps begin lies below them, and agents execute nothing by their own key', async (t) => {
  const depths: number[] = []
  play.step = async ({ depth }) => ({ output: depths.push(depth) })
  const inner = await workflowOf(ada, [{ id: 'own', type: 'again' }])
  const nested = { id: 'nested', type: 'workflow', dependsOn: ['own'], config: { workflowId: inner } }
  t.match(await executed(scene, [{ id: 'own', type: 'again' }, nested]), { status: 'completed' })
  t.same(depths, [1, 2])
  const { id: agentId } = await ada.agent()
  const agent = booted.as(agentId, { type: 'agent', owner: 'ada' })
  t.match(await agent.post(`/v1/workflows/${inner}/execute`, {}), {
    status: 403,
    body: { error: { code: 'not_owner' } }
  })
})

t.test('a run that waits for a person makes the execution wait, as far as is told', async (t) => {
  const { id: agentId } = await ada.agent({ modelProvider: 'local' })
  await assign(ada, { id: agentId }, 'once', { policy: 'ask' })
  play.tool = async () => ({ output: 'done' })
  const workflow = await workflowOf(ada, [agentStep({ agentId, prompt: '/call once {}' })])
  const execution = await execute(ada, workflow)
  const facts = () =>
    booted.platform.knex('kernel.fact').where({ subject: execution.id }).orderBy('id').pluck('name')
  let run = { id: '', pending: [] as { callId: string }[] }
  while (run.pending.length === 0) {
    const { runId } = stepOf((await ada.get(execution.path)).body.data, 'ask') ?? {}
    if (runId) run = (await ada.get(`/v1/agents/runs/${runId}`)).body.data
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  while (!(await facts()).includes('workflows.suspended'))
    await new Promise((resolve) => setTimeout(resolve, 10))
  await ada.post(`/v1/agents/runs/${run.id}/approvals/${run.pending[0]?.callId}`, { decision: 'approve' })
  t.match(await once(scene, ada, execution), { status: 'completed' })
  t.match(await facts(), ['workflows.started', 'workflows.suspended', /workflows.(resumed|completed)/])
})
