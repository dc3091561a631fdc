import t from 'tap'
import { isEnded, makeTask, runOnce, streamOf, town } from './testbed.ts'

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
