import t from 'tap'
import { beating, beatingPlatform, LOCAL, messagesOf, SILENT } from './testbed.ts'

const booted = await beatingPlatform(t)
const { as, anyone, settled, platform } = booted
const { knex } = platform
const ada = as('ada')

t.test('the heartbeat is off by default; its settings are read, merged and validated', async (t) => {
  const { id: agentId } = await ada.agent(LOCAL)
  const path = `/v1/agents/${agentId}/autonomy`
  const first = await ada.get(path)
  t.match(first, { status: 200 })
  t.equal(first.headers.get('etag'), '"0"')
  t.match(first.body.data, {
    agentId,
    owner: 'ada',
    enabled: false,
    intervalMinutes: 30,
    cronExpression: null,
    timezone: 'UTC',
    activeHours: null,
    sessionId: null,
    nextBeatAt: null,
    scheduleError: null,
    lastBeat: null,
    today: { beats: 0, tokens: 0 },
    failures: 0,
    version: 0,
    updatedAt: null
  })
  t.match((await ada.put(path, first.body.data)).body.data, { version: 0 }, 'sent back as it was')

  const on = await ada.put(path, { enabled: true, prompt: 'Look around' }, { 'if-match': '"0"' })
  t.match(on.body.data, { enabled: true, prompt: 'Look around', intervalMinutes: 30, version: 1 })
  t.equal(on.headers.get('etag'), '"1"')
  t.ok(Date.parse(on.body.data.nextBeatAt) > Date.now() + 25 * 60_000)
  t.match(await ada.put(path, { enabled: false }, { 'if-match': '"0"' }), { status: 412 })

  const cron = { cronExpression: '0 9 * * 1-5', timezone: 'Europe/Berlin' }
  const activeHours = { from: '22:00', to: '06:00', days: ['mon', 'tue'] }
  const model = { modelProvider: 'local', modelId: 'small' }
  const changed = (await ada.put(path, { ...cron, activeHours, model, dailyTokens: null })).body.data
  t.match(changed, { ...cron, intervalMinutes: null, activeHours, model, dailyTokens: null, version: 2 })
  t.equal(new Date(changed.nextBeatAt).getUTCMinutes(), 0)
  t.match((await ada.put(path, changed)).body.data, { version: 2 })
  t.match((await ada.put(path, { intervalMinutes: 45 })).body.data, { cronExpression: null, version: 3 })
  t.match((await ada.put(path, { enabled: false })).body.data, { nextBeatAt: null })
  t.same(await knex('jobs.schedule').where({ id: agentId }), [])

  const other = await ada.agent(LOCAL)
  const { id: sessionId } = (await ada.post('/v1/sessions', { agentId: other.id })).body.data
  const wrong: readonly (readonly [object, string])[] = [
    [{ enabled: 1 }, '/enabled'],
    [{ intervalMinutes: 0 }, '/intervalMinutes'],
    [{ intervalMinutes: null }, '/intervalMinutes'],
    [{ intervalMinutes: 5, cronExpression: '* * * * *' }, '/cronExpression'],
    [{ cronExpression: '* * * *' }, '/cronExpression'],
    [{ cronExpression: '0 0 31 2 *' }, '/cronExpression'],
    [{ timezone: 'Mars/Base' }, '/timezone'],
    [{ activeHours: { from: '8:00', to: '10:00' } }, '/activeHours/from'],
    [{ activeHours: { from: '08:00', to: '25:00' } }, '/activeHours/to'],
    [{ activeHours: { from: '08:00', to: '08:00' } }, '/activeHours/to'],
    [{ activeHours: { from: '08:00', to: '09:00', days: ['someday'] } }, '/activeHours/days/0'],
    [{ prompt: '' }, '/prompt'],
    [{ model: { modelProvider: 'nobody', modelId: 'x' } }, '/model/modelProvider'],
    [{ model: { modelProvider: 'local' } }, '/model/modelId'],
    [{ sessionId }, '/sessionId'],
    [{ dailyBeats: 0 }, '/dailyBeats'],
    [{ dailyTokens: 0 }, '/dailyTokens'],
    [{ unheard: 1 }, '/unheard']
  ]
  for (const [body, param] of wrong)
    t.match(await ada.put(path, body), { status: 400, body: { error: { param } } }, JSON.stringify(body))
  t.match(await ada.put(path, { sessionId: 'session_nope' }), {
    status: 404,
    body: { error: { param: '/sessionId' } }
  })
})

t.test('another one’s agent is 403, an unknown one 404, without a credential 401', async (t) => {
  const { id } = await ada.agent(LOCAL)
  const calls = (client: typeof ada, agentId: string) => {
    const path = `/v1/agents/${agentId}`
    return Promise.all([
      client.get(`${path}/autonomy`),
      client.get(`${path}/autonomy/beats`),
      client.put(`${path}/autonomy`, { enabled: true }),
      client.post(`${path}/autonomy/trigger`),
      client.post(`${path}/trigger`, { any: 'thing' })
    ])
  }
  for (const reply of await calls(anyone, id)) t.equal(reply.status, 401)
  for (const client of [as('eve'), as('zoe', { project: 'elsewhere', type: 'service' })])
    for (const reply of await calls(client, id))
      t.match(reply, { status: 403, body: { error: { type: 'permission_error' } } })
  for (const reply of await calls(ada, 'agent_nope'))
    t.match(reply, { status: 404, body: { error: { type: 'not_found' } } })
  t.match(await ada.post(`/v1/agents/${id}/autonomy/trigger`, { no: 'body' }), { status: 400 })
  t.match(await ada.get(`/v1/agents/${id}/autonomy/beats?status=odd`), {
    status: 400,
    body: { error: { param: 'status' } }
  })
  const runsOnly = as('ada', { scopes: ['agents:run'] })
  t.match(await runsOnly.post(`/v1/agents/${id}/autonomy/trigger`), { status: 403 })
  t.match(await runsOnly.post(`/v1/agents/${id}/trigger`, { any: 'thing' }), { status: 200 })
})

t.test('a beat runs the agent with the prompt, in an isolated session, by the model of beats', async (t) => {
  const model = { modelProvider: 'local', modelId: 'small' }
  const heart = await beating(booted, ada, { prompt: '/say I watered the plants.', model })
  const dueAt = await heart.come()
  const [beat] = await heart.over(1)
  t.match(beat, { status: 'completed', trigger: 'schedule', silent: false, reason: null, error: null, dueAt })
  t.ok((beat?.tokens ?? 0) > 0)
  const run = (await ada.get(`/v1/agents/runs/${beat?.runId}`)).body.data
  t.match(run, { owner: 'ada', content: 'I watered the plants.', sessionId: beat?.sessionId })
  const [asked, said] = await messagesOf(ada, beat?.sessionId ?? '')
  t.match(asked, { role: 'user', content: /^\/say I watered.*\n\nIt is \d{4}-.*HEARTBEAT_OK/s })
  t.match(said, { role: 'assistant', content: 'I watered the plants.' })
  await settled()
  const facts = await knex('kernel.fact').where({ subject: beat?.runId, name: 'runs.completed' })
  t.match(facts, [{ data: model }])
  const [started] = await knex('kernel.fact').where({ subject: beat?.id })
  t.match(started, {
    name: 'autonomy.beat_started',
    owner: 'ada',
    actor: 'ada',
    data: { runId: beat?.runId }
  })
  const [updated] = await knex('kernel.fact').where({ subject: heart.id, name: 'autonomy.updated' })
  t.match(updated.data, { enabled: true, agentId: heart.id })
  t.notMatch(JSON.stringify([updated, started]), /plants/, 'nothing of what is said is told')

  await heart.come()
  const [second] = await heart.over(2)
  t.equal(second?.sessionId, beat?.sessionId, 'the session of the beats goes on')
  t.match(await heart.read(), { isolatedSessionId: beat?.sessionId, lastBeat: { id: second?.id } })
  t.match((await heart.read()).today, { beats: 2, tokens: (beat?.tokens ?? 0) + (second?.tokens ?? 0) })

  t.match(await ada.delete(`/v1/sessions/${beat?.sessionId}`), { status: 200 })
  const fired = (await heart.fire()).body.data
  t.not(fired.sessionId, beat?.sessionId, 'one that was deleted has a successor')
})

t.test('a beat that answers that nothing is to be done leaves no message', async (t) => {
  const heart = await beating(booted, ada)
  await heart.come()
  const [beat] = await heart.over(1)
  t.match(beat, { status: 'completed', silent: true })
  t.match((await ada.get(`/v1/agents/runs/${beat?.runId}`)).body.data, { content: 'HEARTBEAT_OK' })
  t.same(await messagesOf(ada, beat?.sessionId ?? ''), [])
})

t.test('a beat may go on in a session of the owner', async (t) => {
  const heart = await beating(booted, ada, { prompt: '/say Ready.' })
  const { id: sessionId } = (await ada.post('/v1/sessions', { agentId: heart.id })).body.data
  t.match(await heart.put({ sessionId }), { status: 200 })
  t.match((await heart.fire()).body.data, { sessionId })
  await heart.over(1)
  t.equal((await messagesOf(ada, sessionId)).length, 2)
  await ada.delete(`/v1/sessions/${sessionId}`)
  await settled()
  t.match(await heart.read(), { sessionId: null, version: 2 })
})

t.test('the heartbeat goes with its agent, and so do its beats', async (t) => {
  const heart = await beating(booted, ada)
  await heart.fire()
  await ada.delete(`/v1/agents/${heart.id}`)
  await settled()
  t.equal((await ada.get(heart.path)).status, 404)
  t.same(await knex('autonomy.heartbeat').where({ agentId: heart.id }), [])
  t.same(await knex('autonomy.beat').where({ agentId: heart.id }), [])
  t.same(await knex('jobs.schedule').where({ id: heart.id }), [])
})

t.test('beats are listed in pages, newest first, by status and trigger', async (t) => {
  const heart = await beating(booted, ada, { prompt: SILENT })
  for (let n = 1; n <= 3; n++) {
    await heart.fire()
    await heart.over(n)
  }
  const all = await heart.beats()
  const { body: page } = await ada.get(`${heart.path}/beats?limit=2`)
  const { body: rest } = await ada.get(`${heart.path}/beats?limit=2&cursor=${page.nextCursor}`)
  t.same([...page.data, ...rest.data], all)
  t.equal(rest.nextCursor, null)
  t.equal((await heart.beats('status=completed&trigger=manual')).length, 3)
  t.same(await heart.beats('trigger=schedule'), [])
  t.notOk('order' in (all[0] ?? {}))
})
