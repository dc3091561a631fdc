import t from 'tap'
import { isEnded, local, makeTask, runOnce, streamOf, town } from './testbed.ts'

const { as, platform } = await town(t, { env: { TASKS_SCHEDULED: '2' } }, ['tools', 'workflows'])
const { knex } = platform
const ada = as('ada')
const approval = { id: 'ok', type: 'approval', config: { message: 'Well?' } }
const double = { id: 'double', type: 'transform', config: { value: '{{ input.n * 2 }}' } }

async function workflowOf(client: typeof ada, step: object, fields: object = {}): Promise<string> {
  const { body } = await client.post('/v1/workflows', {
    name: 'Flow',
    definition: { steps: [step] },
    ...fields
  })
  return body.data.id
}

/** A task that has begun to execute a workflow of one step. */
async function executed(step: object, fields: object = {}): Promise<{ id: string; workflowId: string }> {
  const workflowId = await workflowOf(ada, step)
  const task = await makeTask(ada, { executionMode: 'workflow', workflowId, ...fields })
  await ada.post(`/v1/tasks/${task.id}/execute`)
  return task
}

/** Where its execution is, which waits. */
async function waiting({ id, workflowId }: { id: string; workflowId: string }): Promise<string> {
  const { executionId } = await runOnce(ada, id, ({ status }) => status === 'waiting')
  return `/v1/workflows/${workflowId}/executions/${executionId}`
}

const statusesOf = async (id: string) =>
  (await streamOf(ada, id)).events.map(({ type, status }) => status ?? type)

t.test('a task executes a workflow with its input, and gives what that gives', async (t) => {
  const { id } = await executed(double, { input: { n: 21 } })
  const run = await runOnce(ada, id, isEnded)
  t.match(run, { status: 'completed', runId: null, executionId: String, input: { n: 21 } })
  t.same(run.output, { double: 42 })
  t.match((await streamOf(ada, id)).events.at(-1), { type: 'completed', output: run.output })
})

t.test('an execution that fails is made again, as the task says, and then it has failed', async (t) => {
  const { id } = await executed(double, { input: { n: 'two' }, retry: { attempts: 2, backoffSeconds: 1 } })
  const run = await runOnce(ada, id, isEnded)
  const error = { code: 'expression_failed', message: /^double: / }
  t.match(run, { status: 'failed', attempt: 2, output: null, error })
  t.same(await knex('workflows.execution').where({ id: run.executionId }).pluck('status'), ['failed'])
  const { events } = await streamOf(ada, id)
  t.match(events.at(-1), { type: 'failed', error: run.error })
  const executions = new Set(events.map(({ executionId }) => executionId).filter(Boolean))
  t.equal(executions.size, 2, 'each attempt is an execution of its own')
})

t.test('one that waits for an approval says so, and goes on when it is approved', async (t) => {
  const task = await executed(approval)
  const execution = await waiting(task)
  t.match((await ada.get(`/v1/tasks/${task.id}`)).body.data, { status: 'waiting' })
  t.match(await ada.post(`${execution}/approve`, { data: { sum: 5 } }), { status: 200 })
  t.match(await runOnce(ada, task.id, isEnded), { status: 'completed', attempt: 1 })
  t.same(await statusesOf(task.id), ['queued', 'running', 'waiting', 'running', 'completed'])
})

t.test('one that is cancelled cancels the run of the task, and the other way round', async (t) => {
  const task = await executed(approval, { retry: { attempts: 3, backoffSeconds: 1 } })
  t.match(await ada.post(`${await waiting(task)}/cancel`), { status: 200 })
  t.match(await runOnce(ada, task.id, isEnded), { status: 'cancelled', attempt: 1, error: null })
  t.equal((await statusesOf(task.id)).at(-1), 'cancelled')

  const other = await executed(approval)
  const execution = await waiting(other)
  t.match(await ada.post(`/v1/tasks/${other.id}/cancel`), { body: { data: { status: 'cancelled' } } })
  const reply = await ada.get(`${execution}/stream`)
  t.match(reply.text, /"type":"cancelled"/)
  t.match((await ada.get(execution)).body.data, { status: 'cancelled' })
})

t.test(
  'a workflow of others, and one that is none, is refused when the task is made or changed',
  async (t) => {
    const workflowId = await workflowOf(ada, double)
    const shown = await workflowOf(ada, double, { visibility: 'public' })
    const agent = await ada.agent(local)
    const eve = as('eve')
    const task = { title: 'x', executionMode: 'workflow' }
    const own = await makeTask(eve, { title: 'x', agentId: (await eve.agent(local)).id })
    for (const [client, id, status] of [
      [eve, workflowId, 403],
      [eve, shown, 403],
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
    // A service may execute all; whose task it would be may not.
    const service = as('service', { type: 'service' })
    const hers = await eve.agent(local)
    t.match(await service.post('/v1/tasks', { ...task, workflowId, agentId: hers.id }), refused)
  }
)

t.test('an owner has so many tasks with a next time, and no more', async (t) => {
  const agentId = (await ada.agent(local)).id
  const scheduledFor = new Date(Date.now() + 3_600_000).toISOString()
  const beats = { cronExpression: '0 0 29 2 *', isRecurring: true }
  const [one] = [await makeTask(ada, { agentId, scheduledFor }), await makeTask(ada, { agentId, ...beats })]
  const idle = await makeTask(ada, { agentId })
  const refused = { status: 429, body: { error: { code: 'too_many_scheduled' } } }
  t.match(await ada.post('/v1/tasks', { title: 'x', agentId, scheduledFor }), refused)
  t.match(await ada.patch(`/v1/tasks/${idle.id}/schedule`, { scheduledFor }), refused)
  t.match(await ada.patch(`/v1/tasks/${idle.id}`, beats), refused)
  const later = new Date(Date.now() + 7_200_000).toISOString()
  t.match(await ada.patch(`/v1/tasks/${one.id}/schedule`, { scheduledFor: later }), { status: 200 }, 'moved')
  await makeTask(as('bob'), { agentId: (await as('bob').agent(local)).id, scheduledFor })
  await ada.delete(`/v1/tasks/${one.id}`)
  t.match(await ada.patch(`/v1/tasks/${idle.id}/schedule`, { scheduledFor }), { status: 200 }, 'one went')
})
