// budget: 5 s, because a platform with tasks and workflows is booted
import t from 'tap'
import { all, cuttingProxy, failing, stage, upTo } from './testbed.ts'

const packs = ['tools', 'tasks', 'workflows']
const { booted, client, ada, agent } = await stage(t, { packs })
const numbers = (events: readonly { seq: number }[]) => events.map(({ seq }) => seq)

t.test('a run of a task is followed to its end, wherever the connection is cut', async (t) => {
  const { data: task } = await ada.post('/v1/tasks', { body: { agentId: agent.id, title: '/say Done' } })
  const params = { path: { id: task.id } }
  await t.rejects(all(ada.tasks.follow(task.id)), failing({ status: 404 }))
  const { data: run } = await ada.post('/v1/tasks/{id}/execute', { params })
  const stream = ada.tasks.follow(task.id)
  const events = await all(stream)
  t.equal(stream.id, run.id)
  t.same(numbers(events), upTo(events.length - 1))
  t.match(events.at(-1), { type: 'completed', output: { content: 'Done' } })

  const scheduledFor = new Date(Date.now() + 1_000).toISOString()
  const { data: later } = await ada.post('/v1/tasks', {
    body: { agentId: agent.id, title: '/say Later', scheduledFor }
  })
  t.match((await all(ada.tasks.follow(later.id))).at(-1), { type: 'completed', output: { content: 'Later' } })

  const way = await cuttingProxy(t, booted.url, () => 700)
  t.same(await all(client({ baseUrl: way.url, retries: 10 }).tasks.follow(task.id)), events)
  const { data: newer } = await ada.post('/v1/tasks/{id}/execute', { params })
  t.match((await all(ada.tasks.follow(task.id))).at(-1), { taskRunId: newer.id })
  t.same(await all(ada.tasks.follow(task.id, { run: run.id, after: 0 })), events.slice(1))
  t.same(await all(ada.tasks.follow(task.id, { run: run.id, after: events.length - 1 })), [])
})

t.test('an execution of a workflow is followed while it waits and goes on', async (t) => {
  const { data: workflow } = await ada.post('/v1/workflows', {
    body: {
      name: 'Ask',
      definition: { steps: [{ id: 'ask', type: 'approval', config: { message: 'Go on?' } }] }
    }
  })
  const { id } = workflow
  const { data: execution } = await ada.post('/v1/workflows/{id}/execute', { params: { path: { id } } })
  const path = { id, executionId: execution.id }
  const types: string[] = []
  const events = []
  for await (const event of ada.executions.follow(id, execution.id)) {
    events.push(event)
    types.push(event.type)
    if (event.type === 'approval_request')
      await ada.post('/v1/workflows/{id}/executions/{executionId}/approve', { params: { path } })
  }
  t.same(numbers(events), upTo(events.length - 1))
  t.match(
    types.filter((type) => !['status', 'step'].includes(type)),
    ['approval_request', 'completed']
  )
  t.same(await all(ada.executions.follow(id, execution.id, { after: 2 })), events.slice(3))
  t.same(await all(ada.executions.follow(id, execution.id, { after: events.length - 1 })), [])
})
