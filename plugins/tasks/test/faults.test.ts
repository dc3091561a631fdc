// budget: 20 s, because instances are killed and others take over
// tier: whole
import type { Test } from 'tap'
import t from 'tap'
import { createClient } from '../../../test/client.ts'
import { packText } from '../../../test/pack-folders.ts'
import { startPlatform } from '../../../test/packs/processes.ts'
import { until, workshop } from '../../../test/packs/stage.ts'
import { isEnded, local, makeDue, makeTask, runOnce, streamOf, town } from './testbed.ts'

const packs = ['agents', 'outgoing', 'models', 'sessions', 'jobs', 'runs', 'tasks']
/** In the process that is to be killed it lets no run begin while the database says so. */
const trap = packText(
  'trap',
  `contributes: { 'runs.gate': [{ make: ({ knex }) => ({
    async admit() {
      if (!process.env.STAGE_CONNECTION) return
      const { rows } = await knex.raw("select to_regclass('public.trapped') as it")
      if (rows[0].it) await new Promise(() => undefined)
    }
  }) }] }`
)

interface Scope extends Pick<Test, 'teardown' | 'match'> {}

/** An instance without tasks here, one with them in a process of its own, and a client of that one. */
async function pair(t: Scope) {
  const { folder, write } = await workshop(t)
  await write('trap', { 'pack.ts': trap })
  const home = await town(t, { folders: [folder] }, ['trap'], 'tasks')
  const { platform, admin } = home
  // In the table, so that the other process has it too.
  await admin.put('/v1/packs/jobs', { settings: { lostAfterSeconds: 3, pollSeconds: 0.1 } })
  const ada = home.as('ada')
  const agent = await ada.agent(local)
  const doomed = await startPlatform(t, home.connection, [folder], [...packs, 'trap'])
  await doomed.ready
  const there = createClient(doomed.url, 'ada', ada.key())
  /** `kill -9` there; then tasks are on here. */
  async function takeOver() {
    await doomed.kill()
    t.match(await admin.put('/v1/packs/tasks', { enabled: true }), { status: 200 })
  }
  return { home, ada, agent, there, takeOver, knex: platform.knex }
}

t.test('kill -9 between the due time and the start: another instance begins it, once', async (t) => {
  const { home, ada, agent, there, takeOver, knex } = await pair(t)
  await knex.raw('create table public.trapped ()')
  const cron = { cronExpression: '0 0 29 2 *', isRecurring: true }
  const { id } = await makeTask(there, { agentId: agent.id, ...cron })
  await makeDue(home, id)
  await until(
    () => knex('pgboss.job').where({ name: 'tasks.begin', state: 'active' }),
    ({ length }) => length === 1
  )
  t.match(await runOnce(there, id, () => true), { status: 'queued', runId: null })
  await knex.raw('drop table public.trapped')
  await takeOver()
  const run = await runOnce(ada, id, isEnded)
  t.match(run, { status: 'completed', attempt: 1, trigger: 'schedule' })
  t.equal((await ada.get(`/v1/tasks/${id}/runs`)).body.data.length, 1)
  t.same(await knex('runs.run').pluck('id'), [run.runId])
})

t.test('kill -9 while the agent’s run goes on: the task ends as it would have', async (t) => {
  const { ada, agent, there, takeOver, knex } = await pair(t)
  const { id } = await makeTask(there, { agentId: agent.id, title: '/wait 700', description: '/say a b c' })
  await there.post(`/v1/tasks/${id}/execute`)
  // On a slow machine it may be over by now.
  await runOnce(there, id, ({ status }) => status !== 'queued')
  await takeOver()
  t.match(await runOnce(ada, id, isEnded), { status: 'completed', attempt: 1, output: { content: 'a b c' } })
  const { events } = await streamOf(ada, id)
  t.same(
    events.map(({ status, type }) => status ?? type),
    ['queued', 'running', 'completed']
  )
  t.equal((await knex('runs.run').pluck('id')).length, 1)
})
