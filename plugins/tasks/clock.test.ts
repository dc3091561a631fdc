import t from 'tap'
import { databaseWithClock } from '../../test/clock.ts'
import { until } from '../../test/packs/stage.ts'
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
