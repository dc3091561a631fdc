// budget: 10 s, because two instances run sixty tasks
// tier: whole
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { isEnded, local, makeTask, runOnce, town } from './testbed.ts'

const home = await town(t)
const { admin } = home
const { knex } = home.platform
const ada = home.as('ada')
const agent = await ada.agent(local)

t.test(
  'two instances, a clock thirty days ahead: each task runs once, and is due again in its time',
  async (t) => {
    const beside = await town(t, { beside: home })
    const cron = { cronExpression: '0 0 29 2 *', isRecurring: true }
    const tasks: { id: string }[] = []
    for (let n = 0; n < 60; n++) tasks.push(await makeTask(ada, { agentId: agent.id, ...cron }))
    const ahead = knex.raw("date_trunc('minute', now()) - interval '30 days'")
    await knex('tasks.task').update({ nextRunAt: ahead })
    await knex('jobs.schedule').update({ nextAt: ahead })
    const ended = () => knex('tasks.run').whereNotNull('endedAt').select('taskId', 'status')
    const runs = await until(ended, ({ length }) => length >= tasks.length)
    await home.settled()
    t.equal(runs.length, tasks.length)
    t.equal(new Set(runs.map(({ taskId }) => taskId)).size, tasks.length)
    t.same(new Set(runs.map(({ status }) => status)), new Set(['completed']))
    t.equal((await knex('runs.run').pluck('id')).length, tasks.length)
    t.same(await knex('tasks.task').whereRaw('"nextRunAt" <= now()'), [])
    t.same(await knex('tasks.task').whereNot({ status: 'scheduled' }), [])

    // An hour back: what is to come lies further ahead, and nothing comes again.
    await knex('tasks.task').update({ nextRunAt: knex.raw(`"nextRunAt" + interval '1 hour'`) })
    await knex('jobs.schedule').update({ nextAt: knex.raw(`"nextAt" + interval '1 hour'`) })
    const { id } = await makeTask(ada, { agentId: agent.id, scheduledFor: new Date().toISOString() })
    await runOnce(ada, id, isEnded)
    t.equal((await knex('tasks.run').pluck('id')).length, tasks.length + 1)
    await beside.close()
  }
)

t.test('while tasks are off nothing is lost, and what came meanwhile comes once', async (t) => {
  const waiting = await makeTask(ada, { agentId: agent.id, title: '/wait 100', description: '/say a b c' })
  const due = await makeTask(ada, {
    agentId: agent.id,
    scheduledFor: new Date(Date.now() + 200).toISOString()
  })
  await ada.post(`/v1/tasks/${waiting.id}/execute`)
  await runOnce(ada, waiting.id, ({ status }) => status !== 'queued')
  t.match(await admin.put('/v1/packs/tasks', { enabled: false }), { status: 200 })
  t.match(await ada.get(`/v1/tasks/${due.id}`), { status: 404 })
  await until(
    () => knex('jobs.schedule').where({ id: due.id }),
    ({ length }) => length === 0
  )
  await until(
    () => knex('runs.run').whereNull('endedAt'),
    ({ length }) => length === 0
  )
  t.match(await admin.put('/v1/packs/tasks', { enabled: true }), { status: 200 })
  t.match(await runOnce(ada, waiting.id, isEnded), { status: 'completed', output: { content: 'a b c' } })
  t.match(await runOnce(ada, due.id, isEnded), { status: 'completed', trigger: 'schedule' })
  t.equal((await ada.get(`/v1/tasks/${due.id}/runs`)).body.data.length, 1)
})
