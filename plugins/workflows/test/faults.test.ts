// budget: 5 s, because a further platform is booted
import t from 'tap'
import { assign, execute, once, stage, stepOf, transform, waits, workflowOf } from './testbed.ts'

const scene = await stage(t)
const { ada, booted, play } = scene
const { knex } = booted.platform

t.test('an execution of an owner that was disabled meanwhile fails when it goes on', async (t) => {
  const gone = booted.as('gone')
  const ask = { id: 'ok', type: 'approval', config: { message: 'Well?', principals: ['ada'] } }
  const workflowId = await workflowOf(gone, [ask, transform('after', 1, { dependsOn: ['ok'] })])
  const execution = await once(scene, gone, await execute(gone, workflowId), waits)
  await knex('kernel.principal').where({ id: 'gone' }).update({ disabledAt: knex.fn.now() })
  t.match(await ada.post(`${execution.path}/approve`, {}), { status: 200 })
  const rowOf = () => knex('workflows.execution').where({ id: execution.id }).first()
  while ((await rowOf()).endedAt === null) await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(await rowOf(), { status: 'failed', error: { code: 'owner_disabled' } })
  t.same(await knex('workflows.step').where({ executionId: execution.id, stepId: 'after' }), [])
})

t.test('one that stays in memory begins nothing more for an owner that is disabled meanwhile', async (t) => {
  const left = booted.as('left')
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const done: string[] = []
  play.step = async ({ stepId }) => {
    done.push(stepId)
    begun.resolve()
    await go.promise
    return { output: stepId }
  }
  const step = (id: string, fields: object = {}) => ({ id, type: 'again', onError: 'continue', ...fields })
  const workflowId = await workflowOf(left, [
    step('first', { compensation: { type: 'again', config: {} } }),
    step('second', { dependsOn: ['first'] }),
    transform('third', 3, { dependsOn: ['second'] })
  ])
  const { id: executionId } = await execute(left, workflowId)
  await begun.promise
  await knex('kernel.principal').where({ id: 'left' }).update({ disabledAt: knex.fn.now() })
  go.resolve()
  const rowOf = () => knex('workflows.execution').where({ id: executionId }).first()
  while ((await rowOf()).endedAt === null) await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(await rowOf(), { status: 'failed', error: { code: 'owner_disabled' } })
  const statuses = await knex('workflows.step')
    .where({ executionId })
    .orderBy('path')
    .select('path', 'status')
  t.same(
    statuses.map(({ path, status }) => `${path} ${status}`),
    ['first completed', 'first.compensation failed', 'second failed']
  )
  t.same(done, ['first'])
})

t.test('what may have been done, and must not be done twice, fails and is taken care of', async (t) => {
  const { id: agentId } = await ada.agent()
  let calls = 0
  play.tool = async () => ({ output: ++calls })
  play.step = async () => ({ output: ++calls })
  for (const tool of ['once', 'again']) await assign(ada, { id: agentId }, tool)
  for (const [type, key] of [
    ['tool', 'once'],
    ['once', 'once'],
    ['tool', 'again'],
    ['again', 'again']
  ] as const) {
    const config = type === 'tool' ? { agentId, tool: key } : {}
    const steps = [
      { id: 'ok', type: 'approval', config: { message: 'Well?' } },
      { id: 'pay', type, config, dependsOn: ['ok'], onError: { step: 'unsure' }, retry: { attempts: 3 } },
      transform('unsure', '{{ steps.pay.error.code }}')
    ]
    const execution = await once(scene, ada, await execute(ada, await workflowOf(ada, steps)), waits)
    const { id: ok } = await knex('workflows.step').where({ executionId: execution.id }).first('id')
    // As an instance leaves it that dies in the middle of the attempt.
    const left = { id: `${ok}x`, path: 'pay', stepId: 'pay', kind: type, status: 'running', awaits: false }
    const cut = JSON.stringify({ ...left, input: config, state: { callId: 'call_1' }, deadline: null })
    await knex.raw(
      `insert into workflows.step select (jsonb_populate_record(s, ?::jsonb)).* from workflows.step s where s.id = ?`,
      [cut, ok]
    )
    await ada.post(`${execution.path}/approve`, { stepId: 'ok' })
    const ended = await once(scene, ada, execution)
    if (key === 'once') {
      t.match(stepOf(ended, 'pay'), { status: 'failed', attempt: 1, error: { code: 'outcome_unknown' } })
      t.match(ended, { status: 'completed', output: { unsure: 'outcome_unknown' } }, type)
      t.equal(calls, 0)
    } else t.match(stepOf(ended, 'pay'), { status: 'completed', attempt: 1 }, type)
  }
  t.equal(calls, 2, 'what may be repeated was')
})

t.test('those over the limit of an instance go on when there is room', async (t) => {
  const narrow = await stage(t, { env: { WORKFLOW_EXECUTIONS: '1' } })
  const begun = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  let [now, most] = [0, 0]
  narrow.play.step = async () => {
    most = Math.max(most, ++now)
    begun.resolve()
    await go.promise
    now--
    return { output: null }
  }
  const workflowId = await workflowOf(narrow.ada, [{ id: 'one', type: 'again' }])
  const executions = [await execute(narrow.ada, workflowId)]
  await begun.promise
  for (let n = 0; n < 3; n++) executions.push(await execute(narrow.ada, workflowId))
  t.match((await narrow.ada.get(executions[3]?.path as string)).body.data, { status: 'queued' })
  go.resolve()
  for (const execution of executions)
    t.match(await once(narrow, narrow.ada, execution), { status: 'completed' })
  t.equal(most, 1)
})

t.test('an execution that begins while its workflow is deleted is not left behind', async (t) => {
  const workflowId = await workflowOf(ada, [{ id: 'ok', type: 'approval', config: { message: 'Well?' } }])
  const deleting = await knex.transaction()
  t.teardown(() => deleting.rollback())
  await deleting('workflows.workflow').where({ id: workflowId }).delete()
  const begun = ada.post(`/v1/workflows/${workflowId}/execute`, {})
  const isWaiting = async () => {
    const { rows } = await knex.raw(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%workflows.execution%'`
    )
    return rows.length > 0
  }
  while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 10))
  await deleting.commit()
  t.match(await begun, { status: 404 })
  t.same(await knex('workflows.execution').where({ workflowId }), [])
})
