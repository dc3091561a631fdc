import t from 'tap'
import type { Shown } from './testbed.ts'
import { execute, once, outline, stage, stepOf, transform, waits, workflowOf } from './testbed.ts'

const scene = await stage(t)
const { booted, ada } = scene
const eve = booted.as('eve')
const approval = (config: object = {}, fields: object = {}) => ({
  id: 'ok',
  type: 'approval',
  config: { message: 'Pay {{ input.sum }}?', ...config },
  ...fields
})
const done = transform('done', '{{ steps.ok.output.data }}', { dependsOn: ['ok'] })

/** An execution that waits for what these steps ask. */
async function asked(steps: readonly object[], input: unknown = { sum: 5 }): Promise<Shown> {
  return once(scene, ada, await execute(ada, await workflowOf(ada, steps), input), waits)
}
const refused = (status: number, error: object) => ({ status, body: { error } })

t.test('an execution waits for a decision, and goes on with what was said', async (t) => {
  const form = { type: 'object', properties: { account: { type: 'string' } }, required: ['account'] }
  const execution = await asked([approval({ form }), done])
  t.match(execution, { status: 'waiting', endedAt: null })
  t.match(stepOf(execution, 'ok'), {
    status: 'waiting',
    input: { message: 'Pay 5?', form },
    deadline: String
  })
  const [row] = await booted.platform.knex('workflows.execution').where({ id: execution.id })
  t.match(row, { status: 'waiting', instance: null }, 'no instance holds it')

  const approve = `${execution.path}/approve`
  t.match(await ada.post(approve, { data: { account: 1 } }), refused(400, { param: '/data/account' }))
  t.match(await ada.post(approve, {}), refused(400, { param: '/data/account' }))
  t.match(await ada.post(approve, { stepId: 'other' }), refused(404, { param: '/stepId' }))
  t.match(await ada.post(approve, { stepid: 'ok' }), refused(400, { param: '/stepid' }))
  t.match(await eve.post(approve, { data: { account: 'x' } }), refused(403, { code: 'not_owner' }))
  const { id: agentId } = await ada.agent()
  t.match(await booted.as(agentId, { type: 'agent' }).post(approve, {}), refused(403, {}))
  t.match(await ada.post(`${execution.path}x/approve`, {}), refused(404, {}))

  const decided = await ada.post(approve, { comment: 'Fine', data: { account: 'x' } })
  t.match(decided, { status: 200, body: { data: { id: execution.id } } })
  t.match(await ada.post(approve, { stepId: 'ok', data: { account: 'y' } }), refused(409, {}))
  const ended = await once(scene, ada, execution)
  t.match(ended, { status: 'completed', output: { done: { account: 'x' } } })
  t.match(stepOf(ended, 'ok')?.decisions, [{ by: 'ada', decision: 'approve', comment: 'Fine', at: String }])
  t.match(await ada.post(approve, {}), refused(409, { code: 'already_ended' }))
})

t.test('of several that wait, the one that is meant is named', async (t) => {
  const both = ['one', 'two'].map((id) => ({ ...approval(), id }))
  const execution = await asked(both)
  const approve = (stepId?: string) => ada.post(`${execution.path}/approve`, { ...(stepId && { stepId }) })
  t.match(await approve(), refused(400, { param: '/stepId', message: /one, two/ }))
  t.match(await approve('two'), { status: 200 })
  t.match(await approve('two'), refused(409, { code: 'already_settled' }))
  await once(scene, ada, execution, ({ path, status }) => path === 'two' && status === 'completed')
  t.match(await approve(), { status: 200 }, 'one is left')
  t.match(await once(scene, ada, execution), { status: 'completed' })

  const each = { items: [1, 2], concurrency: 2, steps: [approval({ message: '{{ item }}' })] }
  const items = await asked([{ id: 'each', type: 'forEach', config: each }])
  const decide = (stepId: string) => ada.post(`${items.path}/approve`, { stepId })
  t.match(await decide('ok'), refused(400, { param: '/stepId', message: /each\[0\].ok, each\[1\].ok/ }))
  t.match(await decide('each[1].ok'), { status: 200 })
  t.match(await decide('each[0].ok'), { status: 200 })
  t.match(await once(scene, ada, items), { status: 'completed' })
})

t.test('those that are listed decide, and see the step alone', async (t) => {
  const execution = await asked([approval({ principals: ['eve', 'zoe'], count: 2 }), done])
  const approve = `${execution.path}/approve`
  t.match(await eve.get(execution.path), { status: 403 })
  const said = await eve.post(approve, {})
  t.match(said, { status: 200, body: { data: { status: 'waiting', input: null, output: null } } })
  t.equal(said.body.data.steps.length, 1)
  t.match(await eve.post(approve, {}), refused(409, { code: 'already_settled' }), 'each of them once')
  t.match(await booted.as('mallory').post(approve, {}), { status: 403 })
  t.match(await booted.as('zoe').post(approve, { data: 7 }), { status: 200 })
  t.match(await once(scene, ada, execution), { status: 'completed', output: { done: 7 } })
})

t.test('a rejection fails the step, or takes the way for rejections', async (t) => {
  const failed = await asked([approval(), done])
  t.match(await ada.post(`${failed.path}/reject`, { comment: 'Too much' }), { status: 200 })
  t.match(await once(scene, ada, failed), {
    status: 'failed',
    error: { code: 'rejected', message: 'ok: Too much' }
  })
  const steps = [approval({ onReject: 'no' }), done, transform('no', '{{ steps.ok.error.message }}')]
  const handled = await asked(steps)
  await ada.post(`${handled.path}/reject`, { comment: 'Too much' })
  const ended = await once(scene, ada, handled)
  t.match(ended, { status: 'completed', output: { no: 'Too much' } })
  t.same(outline(ended).sort(), ['done skipped', 'no completed', 'ok failed'])
})

t.test('no decision in time is a rejection', async (t) => {
  const steps = [
    approval({ deadlineSeconds: 1, onReject: 'late' }),
    done,
    transform('late', '{{ steps.ok.error.code }}')
  ]
  const execution = await asked(steps)
  t.match(await once(scene, ada, execution), { status: 'completed', output: { late: 'approval_expired' } })
  t.match(await ada.post(`${execution.path}/approve`, { stepId: 'ok' }), { status: 409 })
})

t.test('a step waits for its time, or for what comes from outside', async (t) => {
  const wait = (config: object) => ({ id: 'wait', type: 'wait', config })
  for (const config of [{ seconds: 1 }, { until: '{{ $now() }}' }])
    t.match(await once(scene, ada, await execute(ada, await workflowOf(ada, [wait(config)]))), {
      status: 'completed'
    })
  const steps = [
    wait({ event: 'paid', timeoutSeconds: 60 }),
    transform('sum', '{{ steps.wait.output.sum }}', { dependsOn: ['wait'] })
  ]
  const execution = await asked(steps)
  t.match(await eve.post(`${execution.path}/approve`, { data: { sum: 1 } }), { status: 403 })
  t.match(await ada.post(`${execution.path}/approve`, { data: { sum: 9 } }), { status: 200 })
  t.match(await once(scene, ada, execution), { status: 'completed', output: { sum: 9 } })
  const late = await asked([wait({ event: 'paid', timeoutSeconds: 1 })])
  t.match(await once(scene, ada, late), { status: 'failed', error: { code: 'timed_out' } })
})

t.test('what waits is found over all workflows, by those who decide it', async (t) => {
  const [mia, noa] = [booted.as('mia'), booted.as('noa')]
  const waiting = async (client = mia, query = '') => (await client.get(`/v1/workflows/waiting${query}`)).body
  const listed = approval({ principals: ['noa', 'mia'], count: 2 })
  const steps = [listed, { id: 'paid', type: 'wait', config: { event: 'paid', key: 'k1' } }]
  const workflowId = await workflowOf(mia, steps)
  const execution = await once(scene, mia, await execute(mia, workflowId, { sum: 5 }), waits)
  const { data } = await waiting()
  t.match(
    data.toSorted((a: { path: string }, b: { path: string }) => a.path.localeCompare(b.path)),
    [
      { path: 'ok', type: 'approval', input: { message: 'Pay 5?' }, deadline: String, startedAt: String },
      { path: 'paid', type: 'wait', input: { event: 'paid', key: 'k1' }, owner: 'mia' }
    ]
  )
  for (const { id, ...row } of data)
    t.match([id, row], [/^step_/, { executionId: execution.id, workflowId, workflowName: 'Test' }])

  t.match((await waiting(noa)).data, [{ path: 'ok', owner: 'mia', workflowName: null }])
  t.equal((await waiting(noa)).data.length, 1, 'the events of others are not for who is asked')
  t.same((await waiting(booted.as('ola'))).data, [])
  t.same((await waiting(booted.as('mia', { project: 'other' }))).data, [])
  const service = booted.as('desk', { type: 'service' })
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)
  for (const { id } of data) t.ok(ids((await waiting(service, '?limit=100')).data).includes(id))

  const first = await waiting(mia, '?limit=1')
  const second = await waiting(mia, `?limit=1&cursor=${first.nextCursor}`)
  t.same([...first.data, ...second.data], data)
  t.equal(second.nextCursor, null)
  t.match(await mia.get('/v1/workflows/waiting?cursor=x'), refused(400, { param: 'cursor' }))
  t.match(await mia.get('/v1/workflows/waiting?of=x'), refused(400, {}))
  const { id: agentId } = await mia.agent()
  t.match(await booted.as(agentId, { type: 'agent' }).get('/v1/workflows/waiting'), refused(403, {}))

  t.match(await noa.post(`${execution.path}/approve`, {}), { status: 200 })
  t.same((await waiting(noa)).data, [], 'what one has decided waits for others')
  t.equal((await waiting()).data.length, 2)
  await mia.post(`${execution.path}/events`, { event: 'paid', key: 'k1' })
  await mia.post(`${execution.path}/approve`, { stepId: 'ok' })
  await once(scene, mia, execution)
  t.same((await waiting()).data, [])
})
