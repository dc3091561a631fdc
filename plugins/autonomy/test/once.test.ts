// budget: 8 s, because two instances beat for many agents
import { newId } from 'agent-platform'
import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { beating, beatingPlatform } from './testbed.ts'

const booted = await beatingPlatform(t)
const { as, platform, settled } = booted
const { knex } = platform
const ada = as('ada')
const runsOf = (agentId: string): Promise<string[]> =>
  knex('runs.run').where({ agentId }).orderBy('createdAt').pluck('id')

t.test('two instances: every beat once', async (t) => {
  const beside = await beatingPlatform(t, { beside: booted })
  const hearts = await Promise.all(Array.from({ length: 10 }, () => beating(booted, ada)))
  for (const round of [1, 2, 3]) {
    const due = await Promise.all(hearts.map(({ come }) => come()))
    const beats = await Promise.all(hearts.map(({ over }) => over(round)))
    t.same(
      beats.map(([beat]) => beat?.dueAt),
      due
    )
  }
  await settled()
  await beside.settled()
  for (const { id, beats } of hearts) {
    const all = await beats()
    t.match(all, [{ status: 'completed' }, { status: 'completed' }, { status: 'completed' }])
    t.same(all.map(({ runId }) => runId).reverse(), await runsOf(id), 'and no run that is no beat’s')
  }
})

t.test('a clock 30 days ahead brings one beat, and one an hour back none again', async (t) => {
  const heart = await beating(booted, ada, { intervalMinutes: 5 })
  const missed = await heart.come('30 days')
  t.match(await heart.over(1), [{ status: 'completed', dueAt: missed }])
  const { nextBeatAt } = await heart.read()
  const minutes = (Date.parse(nextBeatAt) - Date.now()) / 60_000
  t.ok(minutes > -1 && minutes <= 5, `the next one comes in ${minutes} minutes`)

  const dueAt = await heart.come()
  await heart.over(2)
  // As if it had been due an hour before it was: the same time comes once more.
  const again = () => knex('jobs.schedule').where({ id: heart.id }).update({ nextAt: dueAt })
  for (let times = 0; times < 2; times++) {
    await again()
    await until(heart.read, (it) => it.nextBeatAt !== dueAt)
  }
  await heart.come()
  await heart.over(3)
  const open = () =>
    knex('pgboss.job')
      .where({ name: 'autonomy.beat' })
      .whereIn('state', ['created', 'retry', 'active'])
      .first('id')
  await until(open, (job) => job === undefined)
  const beats = await heart.beats()
  t.equal(beats.length, 3)
  t.equal(new Set(beats.map((beat) => beat.dueAt)).size, 3)
  t.equal((await runsOf(heart.id)).length, 3)
})

t.test('a beat whose process died before its run began is run, once', async (t) => {
  const heart = await beating(booted, ada)
  const runId = newId('run')
  const order = { agentId: heart.id, messages: [{ role: 'user', content: '/say Late, but here.' }] }
  const row = { project: 'default', owner: 'ada', agentId: heart.id, trigger: 'schedule', status: 'starting' }
  const id = newId('beat')
  await knex('autonomy.beat').insert({
    ...row,
    id,
    runId,
    order: JSON.stringify(order),
    dueAt: knex.fn.now()
  })
  t.match(await heart.fire(), { status: 409 }, 'until then the agent is busy')
  await heart.come()
  const beats = await heart.over(2)
  t.match(
    beats.find((beat) => beat.id === id),
    { status: 'completed', runId }
  )
  t.match(
    beats.find((beat) => beat.id !== id),
    { status: 'skipped', reason: 'busy' }
  )
  t.same(await runsOf(heart.id), [runId])
})

t.test('a beat that cannot begin has failed, and says why', async (t) => {
  const heart = await beating(booted, ada)
  const principal = knex('kernel.project').where({ id: 'default' })
  const { scopes } = await principal.clone().first('scopes')
  await principal.clone().update({ scopes: ['agents:read'] })
  t.teardown(() => principal.clone().update({ scopes }))
  await heart.come()
  const beat = () => knex('autonomy.beat').where({ agentId: heart.id }).first()
  const failed = await until(beat, (it) => it?.endedAt != null)
  await principal.clone().update({ scopes })
  t.match(failed, { status: 'failed', error: { code: 'scope_missing' }, order: null })
  t.match(await heart.read(), { failures: 1 })
  t.same(await runsOf(heart.id), [])
})

t.test('a reload while a beat runs changes nothing', async (t) => {
  const heart = await beating(booted, ada, { prompt: '/wait 60000\n/repeat 9 word' })
  const running = (await heart.fire()).body.data
  t.match(running, { status: 'running', trigger: 'manual' })
  for (const pack of ['autonomy', 'jobs', 'runs'])
    t.match(await booted.admin.post(`/v1/packs/${pack}/reload`), { status: 200 }, pack)
  await heart.come()
  t.match(await heart.over(1), [{ status: 'skipped', reason: 'busy' }, { id: running.id }])
  t.match(await ada.post(`/v1/agents/runs/${running.runId}/cancel`), { status: 200 })
  t.match((await heart.over(2))[1], { id: running.id, status: 'cancelled' })
  t.match(await heart.read(), { failures: 0 }, 'which is no failure')
  t.same(await runsOf(heart.id), [running.runId])
})
