// budget: 5 s, because what races is tried again and again
import t from 'tap'
import { local, makeTask, taskOnce, town } from './testbed.ts'

const { as, platform, settled } = await town(t)
const { knex } = platform
const ada = as('ada')
const agentId = (await ada.agent(local)).id
const HOUR = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString()
const read = async (id: string) => (await ada.get(`/v1/tasks/${id}`)).body.data

/** When its schedule says that it is due. */
async function scheduleOf(id: string): Promise<string | null> {
  const row = await knex('jobs.schedule').where({ id }).first('nextAt')
  return row ? new Date(row.nextAt).toISOString() : null
}

t.test('edits of different fields that come at once all hold', async (t) => {
  for (let round = 0; round < 5; round++) {
    const { id } = await makeTask(ada, { agentId, scheduledFor: inHours(1) })
    const path = `/v1/tasks/${id}`
    const edits = {
      title: `Title ${round}`,
      description: 'Said',
      input: { n: round },
      retry: { attempts: 2, backoffSeconds: 5 }
    }
    const scheduledFor = inHours(2 + round)
    const replies = await Promise.all([
      ...Object.entries(edits).map(([field, value]) => ada.patch(path, { [field]: value })),
      ada.patch(`${path}/schedule`, { scheduledFor })
    ])
    t.same(new Set(replies.map(({ status }) => status)), new Set([200]))
    t.match(await read(id), { ...edits, scheduledFor, nextRunAt: scheduledFor, version: 6 })
    t.equal(await scheduleOf(id), scheduledFor)
  }
})

t.test('of edits at once that name one version one holds, and the others are 412', async (t) => {
  const { id } = await makeTask(ada, { agentId })
  const edits = Array.from({ length: 8 }, (_, n) =>
    ada.patch(`/v1/tasks/${id}/schedule`, { scheduledFor: inHours(n + 1) }, { 'if-match': '"1"' })
  )
  const statuses = (await Promise.all(edits)).map(({ status }) => status)
  t.same(statuses.toSorted(), [200, ...Array(7).fill(412)])
  const task = await read(id)
  t.equal(task.version, 2)
  t.equal(await scheduleOf(id), task.nextRunAt)
})

t.test('moving, cancelling and executing at once leave one state, and nothing under way', async (t) => {
  for (let round = 0; round < 8; round++) {
    const { id } = await makeTask(ada, { agentId, scheduledFor: inHours(1) })
    const path = `/v1/tasks/${id}`
    const replies = await Promise.all([
      ada.post(`${path}/execute`),
      ada.patch(`${path}/schedule`, { scheduledFor: inHours(-1) }),
      ada.post(`${path}/cancel`),
      ada.post(`${path}/execute`),
      ada.patch(`${path}/schedule`, { scheduledFor: inHours(3) })
    ])
    t.ok(
      replies.every(({ status }) => [200, 201, 409].includes(status)),
      replies.map(({ status }) => status).join()
    )
    const isAtRest = ({ status, nextRunAt }: { status: string; nextRunAt: string | null }) =>
      !['queued', 'running'].includes(status) && !(nextRunAt && Date.parse(nextRunAt) <= Date.now())
    await taskOnce(ada, id, isAtRest)
    await settled()
    const task = await taskOnce(ada, id, isAtRest)
    t.equal(await scheduleOf(id), task.nextRunAt, 'the schedule is what the task says')
    t.equal(task.status === 'scheduled', task.nextRunAt !== null, `${task.status} ${task.nextRunAt}`)
    const open = await knex('tasks.run').where({ taskId: id }).whereNull('endedAt').pluck('id')
    t.same(open, [])
  }
})
