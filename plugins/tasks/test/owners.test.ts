// budget: 5 s, because a run and an execution go on while their owner is disabled
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { local, makeDue, makeTask, runOnce, town } from './testbed.ts'

const booted = await town(t, {}, ['tools', 'workflows'])
const { as, platform, settled } = booted
const { knex } = platform
/** Who may go on with what belongs to an owner who is disabled. */
const operator = as('operator', { type: 'service' })
const refused = { code: 'owner_disabled', message: /disabled/ }

/** An owner with an agent, who is disabled and enabled. */
async function person(name: string) {
  const client = as(name)
  const agent = await client.agent(local)
  const set = (disabledAt: unknown) => knex('kernel.principal').where({ id: name }).update({ disabledAt })
  return { client, agent, disable: () => set(knex.fn.now()), enable: () => set(null) }
}

/** The newest run of a task by the record, since its owner may not ask. */
const endOf = (taskId: string, count = 1) =>
  until(
    () => knex('tasks.run').where({ taskId }).orderBy('id', 'desc'),
    (runs) => runs.length === count && runs[0].endedAt !== null
  ).then(([run]) => run)

t.test(
  'while the owner is disabled a recurring task fails when it is due, and then runs again',
  async (t) => {
    const { client, agent, disable, enable } = await person('bea')
    const { id } = await makeTask(client, {
      agentId: agent.id,
      cronExpression: '0 0 29 2 *',
      isRecurring: true,
      retry: { attempts: 3, backoffSeconds: 1 }
    })
    await disable()
    await makeDue(booted, id)
    t.match(await endOf(id), { status: 'failed', attempt: 1, startedAt: null, error: refused })
    t.same(await knex('runs.run').where({ agentId: agent.id }), [], 'nothing was begun')
    await enable()
    await makeDue(booted, id)
    t.match(await endOf(id, 2), { status: 'completed' })
    t.match((await client.get(`/v1/tasks/${id}`)).body.data, { status: 'scheduled', nextRunAt: String })
  }
)

t.test('an owner who is disabled between the due time and the start begins nothing', async (t) => {
  const { client, agent, disable } = await person('cleo')
  const { data: session } = (await client.post('/v1/sessions', { agentId: agent.id })).body
  const sequential = { sessionId: session.id, executionMode: 'sequential' }
  const first = await makeTask(client, { ...sequential, title: '/wait 60000', description: '/repeat 9 word' })
  const second = await makeTask(client, sequential)
  for (const { id } of [first, second]) await client.post(`/v1/tasks/${id}/execute`)
  await runOnce(client, first.id, ({ status }) => status === 'running')
  t.match(await runOnce(client, second.id, () => true), { status: 'queued' })
  await disable()
  t.equal((await operator.post(`/v1/tasks/${first.id}/cancel`)).status, 200)
  t.match(await endOf(second.id), { status: 'failed', attempt: 1, startedAt: null, error: refused })
  t.equal((await knex('runs.run').where({ agentId: agent.id })).length, 1)
  await settled()
  const names = await knex('kernel.fact').where({ subject: second.id }).orderBy('position').pluck('name')
  t.same(names, ['tasks.created', 'tasks.failed'])
})

t.test('a workflow is not executed for an owner who is disabled, nor goes on', async (t) => {
  const { client, disable } = await person('dan')
  const steps = [
    { id: 'ok', type: 'wait', config: { event: 'go' } },
    { id: 'made', type: 'transform', dependsOn: ['ok'], config: { value: 'done' } }
  ]
  const { body } = await client.post('/v1/workflows', { name: 'Flow', definition: { steps } })
  const workflow = { executionMode: 'workflow', workflowId: body.data.id }
  const begun = await makeTask(client, workflow)
  const cron = { cronExpression: '0 0 29 2 *', isRecurring: true }
  const due = await makeTask(client, { ...workflow, ...cron })
  await client.post(`/v1/tasks/${begun.id}/execute`)
  const { executionId } = await runOnce(client, begun.id, ({ status }) => status === 'waiting')
  await disable()
  const events = `/v1/workflows/${body.data.id}/executions/${executionId}/events`
  t.equal((await operator.post(events, { event: 'go' })).status, 202)
  await makeDue(booted, due.id)
  t.match(await endOf(due.id), { status: 'failed', executionId: null, error: refused })
  t.match(await endOf(begun.id), { status: 'failed', executionId: String, error: refused })
  const executions = await knex('workflows.execution').where({ workflowId: body.data.id })
  t.equal(executions.length, 1, 'that of the first')
})
