import t from 'tap'
import type { Kernel } from '../../../kernel/contract/kernel.ts'
import type { Workflows } from '../contract.ts'
import { eventsUntil, execute, once, stage, transform, workflowOf } from './testbed.ts'

const scene = await stage(t)
const { ada, booted } = scene
const { as, anyone } = booted
const eve = as('eve')
const refused = (status: number, error: object = {}) => ({ status, body: { error } })

t.test('who may execute a workflow, and see what was executed', async (t) => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  const id = await workflowOf(ada, [transform('a', '{{ input.n }}')], { inputSchema: schema })
  await ada.put(`/v1/workflows/${id}`, { visibility: 'public' })
  const path = `/v1/workflows/${id}`
  t.match(await ada.post(`${path}/execute`, { input: { n: 'x' } }), refused(400, { param: '/input/n' }))
  t.match(await ada.post(`${path}/execute`), refused(400, { param: '/input/n' }))
  t.match(await ada.post(`${path}/execute`, { inputs: {} }), refused(400, { param: '/inputs' }))
  const large = { n: 1, text: 'x'.repeat(262_144) }
  t.match(await ada.post(`${path}/execute`, { input: large }), refused(400, { param: '/input' }))
  t.match(await eve.post(`${path}/execute`, { input: { n: 1 } }), refused(403), 'a public one, too')
  t.match(await ada.post('/v1/workflows/workflow_nope/execute', {}), refused(404))

  const execution = await once(scene, ada, await execute(ada, id, { n: 1 }))
  t.match(execution, {
    status: 'completed',
    output: { a: 1 },
    owner: 'ada',
    workflowId: id,
    workflowVersion: 2
  })
  const other = await workflowOf(ada, [transform('a', 1)])
  const elsewhere = execution.path.replace(id, other)
  for (const at of ['', '/stream']) {
    t.match(await eve.get(execution.path + at), refused(403))
    t.match(await anyone.get(execution.path + at), refused(401))
    t.match(await ada.get(elsewhere + at), refused(404), 'of another workflow')
    t.match(await ada.get(`${path}/executions/execution_nope${at}`), refused(404))
  }
  for (const action of ['cancel', 'approve', 'reject']) {
    t.match(await eve.post(`${execution.path}/${action}`), refused(403))
    t.match(await anyone.post(`${execution.path}/${action}`), refused(401))
    t.match(await ada.post(`${elsewhere}/${action}`), refused(404))
    t.match(await ada.post(`${execution.path}/${action}`), refused(409, { code: 'already_ended' }))
  }
  t.match(await eve.get(`${path}/executions`), refused(403))
  const first = execution.id
  const second = (await execute(ada, id, { n: 2 })).id
  const page = (await ada.get(`${path}/executions?limit=1`)).body
  t.match(page.data, [{ id: second, workflowId: id }])
  t.notOk('steps' in page.data[0])
  t.match((await ada.get(`${path}/executions?limit=1&cursor=${page.nextCursor}`)).body.data, [{ id: first }])
  t.match(await ada.get(`${path}/executions?status=some`), refused(400, { param: 'status' }))
  t.same((await ada.get(`${path}/executions?status=failed`)).body.data, [])
})

t.test('an execution keeps the version that it began with', async (t) => {
  const id = await workflowOf(ada, [
    { id: 'ok', type: 'approval', config: { message: 'Well?' } },
    transform('said', 'old', { dependsOn: ['ok'] })
  ])
  const execution = await once(scene, ada, await execute(ada, id), ({ status }) => status === 'waiting')
  await ada.put(`/v1/workflows/${id}`, { definition: { steps: [transform('said', 'new')] } })
  await once(scene, ada, execution, ({ type, status }) => type === 'status' && status === 'waiting')
  await ada.post(`${execution.path}/approve`)
  t.match(await once(scene, ada, execution), { workflowVersion: 1, output: { said: 'old' } })
  t.match(await once(scene, ada, await execute(ada, id)), { workflowVersion: 2, output: { said: 'new' } })
})

t.test('its stream tells of each step, and ends', async (t) => {
  const id = await workflowOf(ada, [transform('a', 1), transform('b', 2, { dependsOn: ['a'] })])
  const execution = await execute(ada, id)
  const events = await eventsUntil(booted, ada, execution.path, () => false)
  t.same(
    events.map(({ seq }) => seq),
    events.map((_, index) => index)
  )
  t.same(
    events.map(({ type, status, path }) => [type, status, path].filter(Boolean).join(' ')),
    ['status queued', 'status running', 'step completed a', 'step completed b', 'completed']
  )
  t.match(events.at(-1), { executionId: execution.id, output: { b: 2 } })
  t.match((await ada.get(`${execution.path}/stream?after=3`)).text, /^id: 4\n.*"completed"/)
})

t.test('other packs begin executions, each order once', async (t) => {
  const deps = booted.platform.server.current().packs.get('workflows')?.deps as unknown as Kernel & {
    executionStarts: { start: Workflows['execute'] }
  }
  const { start } = deps.executionStarts
  const by = await deps.principals.of('default', 'ada')
  if (!by) throw new Error('ada is gone')
  const workflowId = await workflowOf(ada, [transform('a', '{{ input }}')])
  const order = { workflowId, input: { n: 1 }, key: 'first' }
  const begun = await Promise.all([start(by, order), start(by, order), start(by, order)])
  t.equal(new Set(begun.map(({ id }) => id)).size, 1)
  t.same(await start(by, order), begun[0])
  await t.rejects(start(by, { ...order, input: { n: 2 } }), { code: 'idempotency_key_reused' })
  await t.rejects(start(by, { ...order, key: 'with space' }), { message: /^key must be/ })
  await t.rejects(start(by, { workflowId: 'workflow_nope', param: '/task' }), {
    message: 'Workflow not found'
  })
})
