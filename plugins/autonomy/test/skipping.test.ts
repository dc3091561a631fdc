import t from 'tap'
import { until } from '../../../test/packs/stage.ts'
import { dayStart, isActive } from '../services/active-hours.ts'
import { beating, beatingPlatform } from './testbed.ts'

const booted = await beatingPlatform(t)
const { as, platform } = booted
const { knex } = platform
const ada = as('ada')
/** As a clock shows it in so many hours. */
const hourLater = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)

t.test(
  'active hours are those of a wall clock, also over midnight and over a change of clocks',
  async (t) => {
    const day = { from: '08:00', to: '20:00', days: null }
    const at = (time: string) => new Date(time)
    t.ok(isActive(day, 'UTC', at('2026-11-22T08:00Z')))
    t.notOk(isActive(day, 'UTC', at('2026-11-22T20:00Z')), 'the end is not included')
    t.notOk(isActive(day, 'America/New_York', at('2026-11-22T12:59Z')))
    t.ok(isActive(day, 'America/New_York', at('2026-11-22T13:00Z')))
    t.ok(isActive({ ...day, to: '24:00' }, 'UTC', at('2026-11-22T23:59Z')))

    // 2026-11-20 is a Friday.
    const night = { from: '22:00', to: '06:00', days: ['fri' as const] }
    t.ok(isActive(night, 'UTC', at('2026-11-20T22:00Z')))
    t.ok(isActive(night, 'UTC', at('2026-11-21T05:59Z')), 'of the day on which they began')
    t.notOk(isActive(night, 'UTC', at('2026-11-21T06:00Z')))
    t.notOk(isActive(night, 'UTC', at('2026-11-20T05:00Z')))
    t.notOk(isActive(night, 'UTC', at('2026-11-21T22:00Z')))

    const start = (time: string, zone: string) => dayStart(at(time), zone).toISOString()
    t.equal(start('2026-11-22T12:34:56Z', 'UTC'), '2026-11-22T00:00:00.000Z')
    t.equal(start('2026-11-22T23:30Z', 'Europe/Berlin'), '2026-11-22T23:00:00.000Z')
    t.equal(start('2026-10-25T12:00Z', 'Europe/Berlin'), '2026-10-24T22:00:00.000Z', 'a day of 25 hours')
    t.equal(start('2026-03-29T12:00Z', 'Europe/Berlin'), '2026-03-28T23:00:00.000Z', 'a day of 23 hours')
  }
)

t.test('outside of active hours a beat is skipped', async (t) => {
  const heart = await beating(booted, ada, {
    timezone: 'UTC',
    activeHours: { from: hourLater(1), to: hourLater(2) }
  })
  await heart.come()
  t.match(await heart.over(1), [{ status: 'skipped', reason: 'outside_active_hours', runId: null }])
  t.match((await heart.fire()).status, 200, 'not one that is fired by hand')
  await heart.over(2)
  await heart.put({ activeHours: { from: hourLater(-1), to: hourLater(1) } })
  await heart.come()
  t.match(await heart.over(3), [{ status: 'completed', trigger: 'schedule' }, {}, {}])
})

t.test('while the agent is busy a beat is skipped, and one by hand is 409', async (t) => {
  const heart = await beating(booted, ada)
  const waiting = { cliTools: [{ name: 'dig' }] }
  const run = (content: string, fields: object = {}) =>
    ada.post('/v1/agents/run', { agentId: heart.id, messages: [{ role: 'user', content }], ...fields })
  t.match((await run('/call dig {}', waiting)).body.data, { status: 'waiting' })
  await heart.come()
  t.match(await heart.over(1), [{ status: 'completed' }], 'not for a run of another session that waits')

  const { sessionId } = (await heart.beats())[0] ?? {}
  const own = (await run('/call dig {}', { ...waiting, sessionId })).body.data
  t.match(own, { status: 'waiting' })
  await heart.come()
  t.match(await heart.over(2), [{ status: 'skipped', reason: 'busy' }, {}], 'but in the session of the beats')
  t.match(await heart.fire(), { status: 409, body: { error: { code: 'agent_busy' } } })
  await ada.post(`/v1/agents/runs/${own.id}/cancel`)

  const long = run('/wait 60000\n/repeat 9 word')
  const running = knex('runs.run').where({ agentId: heart.id, status: 'running' }).whereNot({ id: own.id })
  const active = () => running.clone().first('id')
  const { id } = await until(active, (row) => row !== undefined)
  await heart.come()
  t.match(
    await heart.over(3),
    [{ status: 'skipped', reason: 'busy' }, {}, {}],
    'and for one that is under way'
  )
  await ada.post(`/v1/agents/runs/${id}/cancel`)
  await long
})

t.test('after failures beats are backed off, for twice as long each time, until one succeeds', async (t) => {
  const heart = await beating(booted, ada, { prompt: '/fail 400 Out of order', intervalMinutes: 60 })
  const backoff = async () => {
    const { failures, backoffUntil, lastBeat } = await heart.read()
    return { failures, minutes: Math.round((Date.parse(backoffUntil) - Date.parse(lastBeat.dueAt)) / 60_000) }
  }
  await heart.come()
  t.match(await heart.over(1), [{ status: 'failed', error: { code: String } }])
  t.same(await backoff(), { failures: 1, minutes: 60 })
  await heart.come()
  t.match(await heart.over(2), [{ status: 'skipped', reason: 'backoff' }, {}])

  const later = () =>
    knex('autonomy.heartbeat').where({ agentId: heart.id }).update({ backoffUntil: knex.fn.now() })
  for (const minutes of [120, 240, 480, 960, 1_440, 1_440]) {
    await later()
    await heart.come()
    const { failures } = await heart.read()
    await until(heart.read, (it) => it.failures > failures)
    t.equal((await backoff()).minutes, minutes)
  }
  await later()
  await knex('autonomy.heartbeat').where({ agentId: heart.id }).update({ prompt: '/say Fine again.' })
  await heart.come()
  t.match(await until(heart.read, ({ failures }) => failures === 0), { backoffUntil: null })

  await heart.put({ prompt: '/fail 400 Out of order' })
  await heart.fire()
  await until(heart.read, ({ failures }) => failures === 1)
  t.match(
    (await heart.put({ enabled: true })).body.data,
    { failures: 0, backoffUntil: null },
    'or its owner says so'
  )
})

t.test('a day has at most so many beats, and beats of at most so many tokens', async (t) => {
  const heart = await beating(booted, ada, { dailyBeats: 2 })
  for (const count of [1, 2]) {
    await heart.come()
    await heart.over(count)
  }
  await heart.come()
  t.match((await heart.over(3))[0], { status: 'skipped', reason: 'daily_beats' })
  t.match(await heart.fire(), { status: 429, body: { error: { code: 'daily_beats' } } })
  t.match((await heart.read()).today, { beats: 2 }, 'one that is skipped does not count')

  await heart.put({ dailyBeats: null, dailyTokens: 1 })
  await heart.come()
  t.match((await heart.over(4))[0], { status: 'skipped', reason: 'daily_tokens' })
  t.match(await heart.fire(), { status: 429, body: { error: { code: 'daily_tokens' } } })

  await knex('autonomy.beat')
    .where({ agentId: heart.id })
    .update({ createdAt: knex.raw(`"createdAt" - interval '1 day'`) })
  t.match((await heart.read()).today, { beats: 0, tokens: 0 })
  await heart.come()
  t.match((await heart.over(5))[0], { status: 'completed' }, 'the next day has its own')
})

t.test('the heartbeat of a disabled owner rests', async (t) => {
  const fay = as('fay')
  const heart = await beating(booted, fay)
  const principal = knex('kernel.principal').where({ id: 'fay' })
  await principal.clone().update({ disabledAt: knex.fn.now() })
  await heart.come()
  const skipped = () => knex('autonomy.beat').where({ agentId: heart.id }).first('status', 'reason')
  t.match(await until(skipped, (row) => row !== undefined), { status: 'skipped', reason: 'owner_disabled' })
  await principal.clone().update({ disabledAt: null })
  await heart.come()
  t.match((await heart.over(2))[0], { status: 'completed' })
})

t.test('a beat that is to start when its owner is disabled is skipped', async (t) => {
  const gus = as('gus')
  const heart = await beating(booted, gus)
  // As a process left it that died between the beat and its start.
  const order = { agentId: heart.id, messages: [{ role: 'user', content: '/say HEARTBEAT_OK' }] }
  const left = { project: 'default', id: 'beat_left', owner: 'gus', agentId: heart.id, trigger: 'schedule' }
  await knex('autonomy.beat').insert({
    ...left,
    status: 'starting',
    runId: 'run_left',
    order: JSON.stringify(order),
    dueAt: knex.raw(`now() - interval '1 minute'`)
  })
  await knex('kernel.principal').where({ id: 'gus' }).update({ disabledAt: knex.fn.now() })
  await heart.come()
  const beats = () => knex('autonomy.beat').where({ agentId: heart.id }).orderBy('dueAt')
  const over = await until(beats, (all) => all.length === 2 && all.every(({ endedAt }) => endedAt !== null))
  const skipped = { status: 'skipped', reason: 'owner_disabled' }
  t.match(over, [{ ...skipped, id: 'beat_left' }, skipped])
  t.same(await knex('runs.run').where({ agentId: heart.id }), [])
})

t.test('what is off does not beat', async (t) => {
  const heart = await beating(booted, ada)
  await heart.come()
  await heart.over(1)
  await heart.put({ enabled: false })
  t.match(await heart.fire(), { status: 200 }, 'but when it is told to')
  await heart.over(2)
  t.match(await heart.read(), { enabled: false, nextBeatAt: null, today: { beats: 2 } })
})
