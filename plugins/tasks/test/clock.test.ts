import t from 'tap'
import { databaseWithClock } from '../../../test/clock.ts'
import { until } from '../../../test/packs/stage.ts'
import { isEnded, local, makeTask, runOnce, taskOnce, town } from './testbed.ts'

t.test(
  'a task that ran while the clock was 30 days ahead runs in its time when it is right again',
  async (t) => {
    const clock = await databaseWithClock(t)
    const home = await town(t, clock)
    const ada = home.as('ada')
    const agent = await ada.agent(local)
    const { id } = await makeTask(ada, {
      agentId: agent.id,
      cronExpression: '0 9 * * *',
      timezone: 'Europe/Berlin',
      isRecurring: true
    })
    const runs = async () => (await ada.get(`/v1/tasks/${id}/runs`)).body.data
    await clock.shift('30 days')
    await runOnce(ada, id, isEnded)
    const isSoon = (at: string) => Date.parse(at) < Date.now() + 3 * 86_400_000
    const task = await taskOnce(ada, id, ({ status }) => status === 'scheduled')
    t.notOk(isSoon(task.nextRunAt))

    await clock.shift('0')
    const nextAt = () => home.platform.knex('jobs.schedule').where({ id }).first('nextAt')
    await until(nextAt, (row) => isSoon(row.nextAt))
    t.equal((await runs()).length, 1, 'nothing comes by that')
    await clock.shift('25 hours')
    await until(runs, ({ length }) => length === 2)
    t.match(await runOnce(ada, id, isEnded), { status: 'completed', trigger: 'schedule' })
    t.ok(isSoon((await taskOnce(ada, id, ({ status }) => status === 'scheduled')).nextRunAt))
  }
)

t.test('a task whose next time cannot be calculated shows why, and runs again once it can be', async (t) => {
  const home = await town(t)
  const { knex } = home.platform
  const ada = home.as('ada')
  const agent = await ada.agent(local)
  const recurring = { agentId: agent.id, cronExpression: '0 0 29 2 *', isRecurring: true }
  const [broken, sound] = [await makeTask(ada, recurring), await makeTask(ada, recurring)]
  t.equal(broken.scheduleError, null)
  const makeDue = () => {
    const past = knex.raw("date_trunc('minute', now())")
    return knex.transaction(async (trx) => {
      await trx('tasks.task').update({ nextRunAt: past })
      await trx('jobs.schedule').update({ nextAt: past })
    })
  }
  await knex('jobs.schedule').where({ id: broken.id }).update({ timezone: 'Mars/Base' })
  await makeDue()
  for (const { id } of [broken, sound]) t.match(await runOnce(ada, id, isEnded), { status: 'completed' })
  const shown = await taskOnce(ada, broken.id, ({ status }) => status === 'scheduled')
  t.match(shown, { scheduleError: /Invalid time zone/, nextRunAt: String })
  t.match((await ada.get(`/v1/tasks/${sound.id}`)).body.data, { scheduleError: null })

  await knex('jobs.schedule').where({ id: broken.id }).update({ timezone: 'UTC' })
  await makeDue()
  const again = await taskOnce(ada, broken.id, ({ scheduleError }) => scheduleError === null)
  t.equal(again.nextRunAt.slice(4, 10), '-02-29')
  t.equal((await ada.get(`/v1/tasks/${broken.id}/runs`)).body.data.length, 1, 'nothing ran by that')

  await knex('jobs.schedule').where({ id: broken.id }).update({ timezone: 'Mars/Base' })
  await makeDue()
  await taskOnce(ada, broken.id, ({ scheduleError }) => scheduleError !== null)
  const edited = await ada.patch(`/v1/tasks/${broken.id}`, { timezone: 'Europe/Berlin' })
  t.match(edited.body.data, { scheduleError: null }, 'an edit of the schedule clears it')
})
