import t from 'tap'
import { isEnded, local, makeTask, runOnce, streamOf, town } from './testbed.ts'

const { as } = await town(t, {}, ['tools', 'workflows'])
const ada = as('ada')

t.test('a task executes a workflow with its input, and gives what that gives', async (t) => {
  const steps = [{ id: 'double', type: 'transform', config: { value: '{{ input.n * 2 }}' } }]
  const made = await ada.post('/v1/workflows', { name: 'Double', definition: { steps } })
  t.equal(made.status, 201)
  const workflow = { executionMode: 'workflow', workflowId: made.body.data.id, input: { n: 21 } }
  const { id } = await makeTask(ada, workflow)
  await ada.post(`/v1/tasks/${id}/execute`)
  const run = await runOnce(ada, id, isEnded)
  t.match(run, { status: 'completed', runId: null, executionId: String, input: { n: 21 } })
  t.match(JSON.stringify(run.output), /42/)
  t.match((await streamOf(ada, id)).events.at(-1), { type: 'completed', output: run.output })
})

t.test(
  'a workflow of others, and one that is none, is refused when the task is made or changed',
  async (t) => {
    const step = { id: 'one', type: 'transform', config: { value: 1 } }
    const order = { name: 'Hers', definition: { steps: [step] } }
    const { id: workflowId } = (await ada.post('/v1/workflows', order)).body.data
    const shown = (await ada.post('/v1/workflows', { ...order, visibility: 'public' })).body.data
    const agent = await ada.agent(local)
    const eve = as('eve')
    const task = { title: 'x', executionMode: 'workflow' }
    const own = await makeTask(eve, { title: 'x', agentId: (await eve.agent(local)).id })
    for (const [client, id, status] of [
      [eve, workflowId, 403],
      [eve, shown.id, 403],
      [as('far', { project: 'elsewhere' }), workflowId, 403],
      [as('desk', { type: 'service', project: 'elsewhere' }), workflowId, 403],
      // An agent may not execute what its owner has.
      [as(agent.id, { type: 'agent' }), workflowId, 403],
      [eve, agent.id, 404],
      [ada, 'workflow_nope', 404]
    ] as const) {
      const refused = { status, body: { error: { param: '/workflowId' } } }
      t.match(await client.post('/v1/tasks', { ...task, workflowId: id }), refused, `${status} ${id}`)
    }
    const changes = { executionMode: 'workflow', workflowId }
    const refused = { status: 403, body: { error: { param: '/workflowId' } } }
    t.match(await eve.patch(`/v1/tasks/${own.id}`, changes), refused)
    t.match(await eve.put(`/v1/tasks/${own.id}`, { title: 'x', ...changes }), refused)
  }
)
