import t from 'tap'
import { execute, once, outline, scripted, stage, stepOf, transform, waits, workflowOf } from './testbed.ts'

const scene = await stage(t)
const { ada, play, booted } = scene
const eve = booted.as('eve')

t.test('cancelling ends what is under way', async (t) => {
  let reason: unknown
  const begun = Promise.withResolvers<void>()
  play.step = ({ signal }) =>
    new Promise((_, reject) => {
      begun.resolve()
      signal.addEventListener('abort', () => {
        reason = signal.reason
        reject(signal.reason)
      })
    })
  const execution = await execute(ada, await workflowOf(ada, [{ id: 'slow', type: 'once' }]))
  await begun.promise
  t.match(await eve.post(`${execution.path}/cancel`), { status: 403 })
  const cancelled = await ada.post(`${execution.path}/cancel`)
  t.match(cancelled, { status: 200, body: { data: { status: 'cancelled', error: null, endedAt: String } } })
  t.same(outline(cancelled.body.data), ['slow cancelled'])
  t.match(reason, { code: 'cancelled' })
  t.match(await ada.post(`${execution.path}/cancel`), {
    status: 409,
    body: { error: { code: 'already_ended' } }
  })
  t.match(await ada.post(`${execution.path}x/cancel`), { status: 404 })
})

t.test('cancelling ends what is waited for: a decision, a time, a run, an execution', async (t) => {
  const { id: agentId } = await ada.agent(scripted('hang=body'))
  const inner = await workflowOf(ada, [{ id: 'ok', type: 'approval', config: { message: 'Well?' } }])
  const steps = [
    { id: 'decision', type: 'approval', config: { message: 'Well?' } },
    { id: 'time', type: 'wait', config: { seconds: 3600 } },
    { id: 'run', type: 'agent', config: { agentId, prompt: 'x' } },
    { id: 'execution', type: 'workflow', config: { workflowId: inner } }
  ]
  const execution = await once(scene, ada, await execute(ada, await workflowOf(ada, steps)), waits)
  const { runId } = stepOf(execution, 'run') ?? {}
  const below = `/v1/workflows/${inner}/executions/${stepOf(execution, 'execution')?.executionId}`
  const cancelled = await ada.post(`${execution.path}/cancel`)
  t.match(cancelled.body.data, { status: 'cancelled' })
  t.match((await ada.get(`/v1/agents/runs/${runId}`)).body.data, { status: 'cancelled' })
  t.match(await once(scene, ada, { path: below }), { status: 'cancelled' })
  const open = await booted.platform
    .knex('jobs.wait')
    .whereNull('settledAt')
    .where('waiter', 'workflows.step')
  t.same(open, [], 'nothing is waited for any more')
  t.match(await ada.post(`${execution.path}/approve`, { stepId: 'decision' }), { status: 409 })
})

t.test('what was done is undone', async (t) => {
  const done: unknown[] = []
  play.step = async ({ config }) => {
    done.push(config.n)
    return { output: null }
  }
  const steps = [
    { id: 'pay', type: 'once', config: { n: 1 }, compensation: { type: 'once', config: { n: 2 } } },
    { id: 'ok', type: 'approval', config: { message: 'Well?' }, dependsOn: ['pay'] },
    transform('after', 1, { dependsOn: ['ok'] })
  ]
  const execution = await once(scene, ada, await execute(ada, await workflowOf(ada, steps)), waits)
  t.match((await ada.post(`${execution.path}/cancel`)).body.data, { status: 'cancelled' })
  t.same(done, [1, 2])
})

t.test('executions go with their workflow', async (t) => {
  const undone = Promise.withResolvers<unknown>()
  play.step = async ({ config }) => {
    if (config.n === 2) undone.resolve(config.n)
    return { output: null }
  }
  const workflow = await workflowOf(ada, [
    { id: 'pay', type: 'once', config: { n: 1 }, compensation: { type: 'once', config: { n: 2 } } },
    { id: 'ok', type: 'approval', config: { message: 'Well?' }, dependsOn: ['pay'] }
  ])
  const execution = await once(scene, ada, await execute(ada, workflow), waits)
  t.match(await ada.delete(`/v1/workflows/${workflow}`), { status: 200 })
  t.equal(await undone.promise, 2, 'what was done is undone before')
  const { knex } = booted.platform
  const left = async () => (await knex('workflows.execution').where({ id: execution.id })).length > 0
  while (await left()) await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(await ada.get(execution.path), { status: 404 })
  t.same(await knex('workflows.step').where({ executionId: execution.id }), [])
  t.same(await knex('kernel.stream_chunk').where({ stream: execution.id }), [])
})
