// budget: 6 s, because tasks run to their ends
import { once } from 'node:events'
import t from 'tap'
import { startModelServer } from '../../../test/model-server.ts'
import { testResource } from '../../../test/resource.ts'
import { isEnded, local, makeDue, makeTask, runOnce, streamOf, taskOnce, town } from './testbed.ts'

const server = await startModelServer(t)
const booted = await town(t, { env: { OPENAI_COMPATIBLE_BASE_URL: server.url } })
const { as, settled, platform } = booted
const ada = as('ada')
const agent = await ada.agent(local)
const hour = () => new Date(Date.now() + 3_600_000).toISOString()

t.test('tasks are a resource', (t) =>
  testResource(t, booted, {
    path: '/v1/tasks',
    create: async (client) => ({ agentId: (await client.agent(local)).id, title: 'Write the report' }),
    searched: { title: 'Quagga' },
    changes: {
      title: 'Write it',
      description: 'By May',
      input: { month: 'April' },
      scheduledFor: hour(),
      timezone: 'Europe/Berlin',
      retry: { attempts: 2, backoffSeconds: 5 }
    },
    wrong: {
      title: '  ',
      executionMode: 'often',
      isRecurring: 'yes',
      retry: { attempts: 0, backoffSeconds: 1 },
      scheduledFor: 'soon',
      input: 'text'
    },
    update: 'patch'
  })
)

t.test('what a task needs, and what does not go together, is said with the field', async (t) => {
  const session = (await ada.post('/v1/sessions', { agentId: agent.id })).body.data
  const refused: [object, string][] = [
    [{ agentId: null }, '/agentId'],
    [{ executionMode: 'sequential' }, '/sessionId'],
    [{ executionMode: 'workflow' }, '/workflowId'],
    [{ workflowId: 'workflow_1' }, '/workflowId'],
    [{ executionMode: 'workflow', workflowId: 'workflow_1', sessionId: session.id }, '/sessionId'],
    [{ isRecurring: true }, '/cronExpression'],
    [{ isRecurring: true, cronExpression: '* * * * *', scheduledFor: hour() }, '/scheduledFor'],
    [{ cronExpression: '* * * *' }, '/cronExpression'],
    [{ cronExpression: '0 9 * * *', timezone: 'Mars/Base' }, '/timezone'],
    [{ timezone: 'Mars/Base' }, '/timezone'],
    [{ scheduledFor: '0000-01-01T00:00:00Z' }, '/scheduledFor'],
    [{ input: { text: 'x'.repeat(70_000) } }, '/input'],
    [{ input: { text: '\u0000' } }, '/input'],
    [{ description: '\u0000' }, '/description'],
    [{ sessionId: session.id, agentId: (await ada.agent(local)).id }, '/sessionId']
  ]
  for (const [fields, param] of refused) {
    const reply = await ada.post('/v1/tasks', { agentId: agent.id, title: 'No', ...fields })
    t.match(reply, { status: 400, body: { error: { param } } }, JSON.stringify(fields).slice(0, 80))
  }
  const id = (await makeTask(ada, { agentId: agent.id })).id
  t.match(await ada.patch(`/v1/tasks/${id}`, { isRecurring: true }), {
    status: 400,
    body: { error: { param: '/cronExpression' } }
  })
  const eves = (await as('eve').agent(local)).id
  for (const [fields, status, param] of [
    [{ agentId: eves }, 403, '/agentId'],
    [{ agentId: 'agent_nope' }, 404, '/agentId'],
    [{ sessionId: 'session_nope' }, 404, '/sessionId']
  ] as const) {
    t.match(await ada.post('/v1/tasks', Object.assign({ title: 'No', agentId: agent.id }, fields)), {
      status,
      body: { error: { param } }
    })
    t.match(await ada.patch(`/v1/tasks/${id}`, fields), { status, body: { error: { param } } })
  }
})

t.test(
  'PUT replaces: what is left out is as if it were made anew; what was got can be sent back',
  async (t) => {
    const fields = {
      agentId: agent.id,
      description: 'In German',
      cronExpression: '0 9 * * *',
      isRecurring: true
    }
    const task = await makeTask(ada, { ...fields, timezone: 'Europe/Berlin' })
    t.match(task, { status: 'scheduled', version: 1, nextRunAt: /T0[78]:00:00/ })
    const url = `/v1/tasks/${task.id}`
    t.same((await ada.put(url, task)).body.data, task)
    t.match(await ada.put(url, { title: 'New' }), { status: 400, body: { error: { param: '/agentId' } } })
    t.match((await ada.put(url, { title: 'New', agentId: agent.id }, { 'if-match': '"1"' })).body.data, {
      title: 'New',
      description: null,
      cronExpression: null,
      isRecurring: false,
      timezone: null,
      nextRunAt: null,
      status: 'scheduled',
      version: 2
    })
    t.match(await ada.put(url, { title: 'New', agentId: agent.id }, { 'if-match': '"1"' }), { status: 412 })
    t.match(await ada.put(url, { agentId: agent.id }), { status: 400, body: { error: { param: '/title' } } })
  }
)

t.test('a task runs now, and tells of it', async (t) => {
  const task = await makeTask(ada, { agentId: agent.id, title: '/say All', description: '/say is well' })
  t.match(task, { status: 'scheduled', nextRunAt: null, lastRunAt: null })
  t.match(await streamOf(ada, task.id), { status: 404 })
  const { status, body } = await ada.post(`/v1/tasks/${task.id}/execute`)
  t.equal(status, 201)
  t.match(body.data, { id: /^taskrun_/, taskId: task.id, status: 'queued', trigger: 'manual', runId: null })
  const { events } = await streamOf(ada, task.id)
  const run = await runOnce(ada, task.id, isEnded)
  t.same(
    events.map(({ seq }) => seq),
    [0, 1, 2]
  )
  const { runId, sessionId } = run
  const output = { content: 'All\nis well' }
  t.match(events, [
    { type: 'status', taskRunId: body.data.id, status: 'queued' },
    { type: 'status', status: 'running', attempt: 1, runId, sessionId },
    { type: 'completed', output }
  ])
  t.match(run, {
    status: 'completed',
    output,
    error: null,
    attempt: 1,
    startedAt: String,
    scheduledFor: null
  })
  t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data, { status: 'completed', owner: 'ada' })
  t.match((await ada.get(`/v1/tasks/${task.id}`)).body.data, {
    status: 'completed',
    lastRunAt: String,
    version: 1
  })

  const again = (await ada.post(`/v1/tasks/${task.id}/execute`)).body.data
  await runOnce(ada, task.id, ({ id, endedAt }) => id === again.id && endedAt !== null)
  t.match((await ada.get(`/v1/tasks/${task.id}/runs`)).body, {
    data: [{ id: again.id }, { id: run.id }],
    nextCursor: null
  })
  t.equal((await streamOf(ada, task.id)).events[0].taskRunId, again.id, 'the newest')
  t.equal((await streamOf(ada, task.id, `?run=${run.id}`)).events[0].taskRunId, run.id)
  t.same(
    (await streamOf(ada, task.id, '?after=1')).events.map(({ seq }) => seq),
    [2]
  )
  t.match(await ada.get(`/v1/tasks/${task.id}/stream?after=9`), {
    status: 400,
    body: { error: { param: 'after' } }
  })
  const other = await makeTask(ada, { agentId: agent.id })
  t.match(await streamOf(ada, other.id, `?run=${run.id}`), { status: 404 })
})

t.test('what is under way is refused to others, and unknown tasks to all', async (t) => {
  const { id } = await makeTask(ada, { agentId: agent.id })
  const eve = as('eve')
  const calls = (at: string) => [
    eve.post(`/v1/tasks/${at}/execute`),
    eve.post(`/v1/tasks/${at}/cancel`),
    eve.get(`/v1/tasks/${at}/runs`),
    eve.get(`/v1/tasks/${at}/stream`),
    eve.patch(`/v1/tasks/${at}/schedule`, { scheduledFor: hour() })
  ]
  for (const reply of await Promise.all(calls(id))) t.match(reply, { status: 403 })
  for (const reply of await Promise.all(calls('task_nope'))) t.match(reply, { status: 404 })
  for (const body of [{}, { scheduledFor: 'soon' }, { scheduledFor: hour(), more: 1 }])
    t.match(await ada.patch(`/v1/tasks/${id}/schedule`, body), { status: 400 })
})

t.test('cancelling cuts the call of the model before any job does, and what has ended is 409', async (t) => {
  // Jobs that stop runs come too late to be of help here.
  await platform.knex.raw(`
    create function public.late() returns trigger language plpgsql as
      $$ begin new.start_after := now() + interval '1 day'; return new; end $$;
    create trigger late before insert on pgboss.job_common for each row when (new.name = 'tasks.stop')
      execute function public.late()`)
  const hung = await ada.agent({ modelProvider: 'openai-compatible', modelId: 'mock?hang=body' })
  const { id } = await makeTask(ada, { agentId: hung.id })
  const asked = once(server.events, 'request')
  await ada.post(`/v1/tasks/${id}/execute`)
  await asked
  const { runId } = await runOnce(ada, id, ({ status }) => status === 'running')
  t.match(await ada.post(`/v1/tasks/${id}/execute`), {
    status: 409,
    body: { error: { code: 'already_running' } }
  })
  const left = once(server.events, 'left')
  t.match(await ada.post(`/v1/tasks/${id}/cancel`), { status: 200, body: { data: { status: 'cancelled' } } })
  await left
  await platform.knex.raw('drop function public.late cascade')
  t.match((await ada.get(`/v1/agents/runs/${runId}?wait=true`)).body.data, { status: 'cancelled' })
  t.match((await streamOf(ada, id)).events.at(-1), { type: 'cancelled' })
  t.match(await ada.post(`/v1/tasks/${id}/cancel`), { status: 200 }, 'once more is no other')
  await settled()
  t.match((await ada.get(`/v1/tasks/${id}`)).body.data, { status: 'cancelled' })
  const done = await makeTask(ada, { agentId: agent.id })
  await ada.post(`/v1/tasks/${done.id}/execute`)
  await taskOnce(ada, done.id, ({ status }) => status === 'completed')
  t.match(await ada.post(`/v1/tasks/${done.id}/cancel`), {
    status: 409,
    body: { error: { code: 'already_ended' } }
  })
})

t.test(
  'a recurring task runs at its times; cron alone is once; a moved one runs when it was moved to',
  async (t) => {
    const every = await makeTask(ada, { agentId: agent.id, cronExpression: '0 0 29 2 *', isRecurring: true })
    await makeDue(booted, every.id, '30 days')
    const run = await runOnce(ada, every.id, isEnded)
    t.match(run, { status: 'completed', trigger: 'schedule', scheduledFor: String })
    t.ok(Date.now() - Date.parse(run.scheduledFor) > 29 * 86_400_000)
    const rested = await taskOnce(ada, every.id, ({ status }) => status === 'scheduled')
    t.match(rested, { nextRunAt: /-02-29T00:00:00/, version: 1 })
    await makeDue(booted, every.id)
    await taskOnce(ada, every.id, ({ lastRunAt }) => lastRunAt > rested.lastRunAt)
    t.match(await ada.patch(`/v1/tasks/${every.id}/schedule`, { scheduledFor: hour() }), {
      status: 409,
      body: { error: { code: 'recurring_task' } }
    })

    const once = await makeTask(ada, { agentId: agent.id, cronExpression: '0 0 29 2 *' })
    await makeDue(booted, once.id)
    t.match(await taskOnce(ada, once.id, ({ status }) => status === 'completed'), { nextRunAt: null })
    t.same(await platform.knex('jobs.schedule').where({ id: once.id }), [])

    const at = hour()
    t.match((await ada.patch(`/v1/tasks/${once.id}/schedule`, { scheduledFor: at })).body.data, {
      status: 'scheduled',
      scheduledFor: at,
      nextRunAt: at,
      version: 2
    })
    t.match(await ada.post(`/v1/tasks/${once.id}/cancel`), {
      body: { data: { status: 'cancelled', nextRunAt: null } }
    })
    const past = new Date(Date.now() - 5_000).toISOString()
    await ada.patch(`/v1/tasks/${once.id}/schedule`, { scheduledFor: past })
    await taskOnce(ada, once.id, ({ status }) => status === 'completed')
    const { data: runs } = (await ada.get(`/v1/tasks/${once.id}/runs`)).body
    t.match(runs, [{ scheduledFor: past }, { trigger: 'schedule' }])
  }
)

t.test('lists are narrowed by agent, session and status', async (t) => {
  const { id: agentId } = await ada.agent(local)
  const session = (await ada.post('/v1/sessions', { agentId })).body.data
  const one = await makeTask(ada, { agentId, scheduledFor: hour() })
  const two = await makeTask(ada, { sessionId: session.id })
  t.equal(two.agentId, agentId)
  await ada.post(`/v1/tasks/${two.id}/execute`)
  await taskOnce(ada, two.id, ({ status }) => status === 'completed')
  const ids = async (query: string) =>
    (await ada.get(`/v1/tasks?${query}`)).body.data.map(({ id }: { id: string }) => id)
  t.same(await ids(`agentId=${agentId}`), [two.id, one.id])
  t.same(await ids(`agentId=${agentId}&status=scheduled`), [one.id])
  t.same(await ids(`sessionId=${session.id}&status=completed`), [two.id])
  t.match(await ada.get('/v1/tasks?status=lost'), { status: 400, body: { error: { param: 'status' } } })
})
