// budget: 10 s, because runs fail, wait and are tried again
import t from 'tap'
import { packText } from '../../../test/pack-folders.ts'
import { until, workshop } from '../../../test/packs/stage.ts'
import type { createBeginnings } from '../services/beginnings.ts'
import { isEnded, local, makeTask, runOnce, streamOf, taskOnce, town } from './testbed.ts'

/** A tool that is called after a decision. */
const desk = packText(
  'desk',
  `contributes: { 'runs.tools': [{ make: () => ({ offer: async () => [{
    name: 'sign', parameters: { type: 'object' }, idempotent: true, approval: 'Signs',
    call: async () => ({ output: 'signed' })
  }] }) }] }`
)
const { folder, write } = await workshop(t)
await write('desk', { 'pack.ts': desk })
const booted = await town(t, { folders: [folder], env: { RUN_MODEL_RETRIES: '0' } }, ['desk'])
const { as, admin, settled, platform } = booted
const { knex } = platform
const ada = as('ada')
const agent = await ada.agent(local)
const execute = async (id: string) => (await ada.post(`/v1/tasks/${id}/execute`)).body.data
const statusesOf = (events: { type: string; status?: string }[]) =>
  events.map(({ type, status }) => status ?? type)
const factsOf = async (id: string) =>
  knex('kernel.fact')
    .where({ subject: id })
    .andWhere('name', 'like', 'tasks.%')
    .orderBy('position')
    .pluck('name')
/** As if the time for it had come. */
async function beginNow(id: string): Promise<void> {
  const { deps } = platform.server.current().packs.get('tasks') as unknown as {
    deps: { beginnings: ReturnType<typeof createBeginnings> }
  }
  await deps.beginnings.worker.work({ project: 'default', ids: [id] }, AbortSignal.timeout(30_000))
}

t.test('a run that fails is tried again, as the task says, and then it has failed', async (t) => {
  const retry = { attempts: 3, backoffSeconds: 1 }
  const { id } = await makeTask(ada, { agentId: agent.id, title: '/fail 500 No luck', retry })
  const { id: runId } = await execute(id)
  const { events } = await streamOf(ada, id)
  t.same(statusesOf(events), ['queued', 'running', 'retrying', 'running', 'retrying', 'running', 'failed'])
  const error = { code: 'model_error', message: /500/ }
  t.match(events[2], { attempt: 2, at: String, error })
  t.match(events.at(-1), { error })
  t.match(await runOnce(ada, id, isEnded), { id: runId, status: 'failed', attempt: 3, error, output: null })
  t.equal(new Set(events.map((event: { runId?: string }) => event.runId).filter(Boolean)).size, 3)
  t.match((await ada.get(`/v1/tasks/${id}`)).body.data, { status: 'failed', version: 1 })
  t.same(await factsOf(id), [
    'tasks.created',
    'tasks.started',
    'tasks.started',
    'tasks.started',
    'tasks.failed'
  ])
})

t.test('what is refused has failed, and is not tried again', async (t) => {
  const retry = { attempts: 5, backoffSeconds: 3_600 }
  const bea = as('bea')
  const { id } = await makeTask(bea, { agentId: (await bea.agent(local)).id, retry })
  await knex('kernel.principal').where({ id: 'bea' }).update({ disabledAt: knex.fn.now() })
  const at = knex.raw("now() - interval '1 second'")
  await knex('tasks.task').where({ id }).update({ nextRunAt: at })
  await knex('jobs.schedule').insert({
    project: 'default',
    id,
    owner: 'bea',
    timezone: 'UTC',
    queue: 'tasks.due',
    together: 50,
    data: { project: 'default', taskId: id },
    nextAt: knex.raw('now()')
  })
  const ended = await until(
    () => knex('tasks.run').where({ taskId: id }).first(),
    (it) => it?.endedAt
  )
  t.match(ended, { status: 'failed', attempt: 1, error: { code: 'owner_disabled' } })
})

t.test('the tasks of one session go one after the other, attempts and all', async (t) => {
  const session = (await ada.post('/v1/sessions', { agentId: agent.id })).body.data
  const sequential = { sessionId: session.id, executionMode: 'sequential' }
  const retry = { attempts: 2, backoffSeconds: 3_600 }
  const first = await makeTask(ada, { ...sequential, title: '/fail 500 Once', retry })
  const second = await makeTask(ada, { ...sequential, title: '/say Second' })
  const third = await makeTask(ada, { ...sequential, title: '/say Third' })
  const free = await makeTask(ada, { agentId: agent.id, title: '/say Free' })
  for (const { id } of [first, second, third, free]) await execute(id)
  const again = await runOnce(ada, first.id, ({ attempt }) => attempt === 2)
  await runOnce(ada, free.id, isEnded)
  t.match((await ada.get(`/v1/tasks/${second.id}`)).body.data, { status: 'queued' })
  await beginNow(again.id)
  const runs = []
  for (const { id } of [first, second, third]) runs.push(await runOnce(ada, id, isEnded))
  t.match(runs, [{ status: 'failed', attempt: 2 }, { status: 'completed' }, { status: 'completed' }])
  t.ok(runs[0].endedAt <= runs[1].startedAt && runs[1].endedAt <= runs[2].startedAt)
  t.same(new Set(runs.map(({ sessionId }) => sessionId)), new Set([session.id]))
})

t.test('a run that waits for a person says so, and goes on', async (t) => {
  const { id } = await makeTask(ada, { agentId: agent.id, title: '/call sign {}' })
  await execute(id)
  const { runId } = await runOnce(ada, id, ({ status }) => status === 'waiting')
  t.match((await ada.get(`/v1/tasks/${id}`)).body.data, { status: 'waiting' })
  t.match(await admin.post('/v1/packs/tasks/reload'), { status: 200 })
  t.match(await admin.post('/v1/packs/runs/reload'), { status: 200 })
  const [pending] = (await ada.get(`/v1/agents/runs/${runId}`)).body.data.pending
  await ada.post(`/v1/agents/runs/${runId}/approvals/${pending.callId}`, { decision: 'approve' })
  const { events } = await streamOf(ada, id)
  t.same(statusesOf(events), ['queued', 'running', 'waiting', 'running', 'completed'])
  t.match(events.at(-1), { output: { content: /signed/ } })
})

t.test('one that waits is cancelled, and its agent’s run with it', async (t) => {
  const { id } = await makeTask(ada, { agentId: agent.id, title: '/call sign {}' })
  await execute(id)
  const { runId } = await runOnce(ada, id, ({ status }) => status === 'waiting')
  t.match(await ada.post(`/v1/tasks/${id}/cancel`), { body: { data: { status: 'cancelled' } } })
  await until(
    () => ada.get(`/v1/agents/runs/${runId}`),
    ({ body }) => body.data.status === 'cancelled'
  )
  await settled()
  t.same((await factsOf(id)).slice(1), ['tasks.started', 'tasks.cancelled'])
})

t.test('of a recurring task one run alone is cancelled by the run of its agent', async (t) => {
  const { id } = await makeTask(ada, {
    agentId: agent.id,
    title: '/wait 50000',
    description: '/say a b',
    cronExpression: '0 0 29 2 *',
    isRecurring: true
  })
  await execute(id)
  const { runId } = await runOnce(ada, id, ({ status }) => status === 'running')
  await ada.post(`/v1/agents/runs/${runId}/cancel`)
  t.match(await runOnce(ada, id, isEnded), { status: 'cancelled' })
  t.match((await ada.get(`/v1/tasks/${id}`)).body.data, { status: 'scheduled', nextRunAt: /-02-29/ })
})

t.test('a one-off whose time comes while a run is under way runs afterwards', async (t) => {
  const { id } = await makeTask(ada, { agentId: agent.id, title: '/call sign {}' })
  await execute(id)
  const first = await runOnce(ada, id, ({ status }) => status === 'waiting')
  const scheduledFor = new Date(Date.now() - 1_000).toISOString()
  await ada.patch(`/v1/tasks/${id}/schedule`, { scheduledFor })
  await until(
    () => knex('jobs.schedule').where({ id }),
    ({ length }) => length === 0
  )
  await ada.post(`/v1/agents/runs/${first.runId}/cancel`)
  t.match(await runOnce(ada, id, (run) => run.id !== first.id), { trigger: 'schedule', scheduledFor })
  await runOnce(ada, id, ({ status }) => status === 'waiting')
  t.match((await ada.get(`/v1/tasks/${id}/runs`)).body.data, [{}, { id: first.id, status: 'cancelled' }])
  await ada.post(`/v1/tasks/${id}/cancel`)
})

t.test('workflows that are off are named', async (t) => {
  const workflow = { executionMode: 'workflow', workflowId: 'workflow_1', title: 'Flow' }
  t.match(await ada.post('/v1/tasks', workflow), {
    status: 503,
    body: { error: { code: 'capability_missing' } }
  })
  const { id } = await makeTask(ada, { agentId: agent.id })
  await knex('tasks.task').where({ id }).update({ executionMode: 'workflow', workflowId: 'workflow_1' })
  await execute(id)
  t.match((await streamOf(ada, id)).events.at(-1), { type: 'failed', error: { code: 'capability_missing' } })
})

t.test('what is deleted takes what is under way with it, and nothing is left', async (t) => {
  const gone = await ada.agent(local)
  const session = (await ada.post('/v1/sessions', { agentId: agent.id })).body.data
  const waiting = { title: '/wait 50000', description: '/say a b' }
  const [one, two, three] = [
    await makeTask(ada, { ...waiting, agentId: agent.id }),
    await makeTask(ada, { ...waiting, agentId: gone.id, cronExpression: '0 0 29 2 *' }),
    await makeTask(ada, { ...waiting, sessionId: session.id })
  ]
  const runs = []
  for (const { id } of [one, two, three]) {
    await execute(id)
    runs.push(await runOnce(ada, id, ({ status }) => status === 'running'))
  }
  await Promise.all([
    ada.delete(`/v1/tasks/${one.id}`),
    ada.delete(`/v1/agents/${gone.id}`),
    ada.delete(`/v1/sessions/${session.id}`)
  ])
  t.match(await taskOnce(ada, three.id, ({ status }) => status === 'cancelled'), { nextRunAt: null })
  t.match((await ada.get(`/v1/agents/runs/${runs[0].runId}?wait=true`)).body.data, { status: 'cancelled' })
  await settled()
  const left = [one.id, two.id]
  for (const { id } of [one, two]) t.match(await ada.get(`/v1/tasks/${id}/runs`), { status: 404 })
  t.same(await knex('tasks.task').whereIn('id', left), [])
  t.same(await knex('tasks.run').whereIn('taskId', left), [])
  t.same(await knex('jobs.schedule').whereIn('id', left), [])
  const streams = runs.slice(0, 2).map(({ id }) => id)
  t.same(await knex('kernel.stream_chunk').whereIn('stream', streams), [])
})
